/// One job of an export before it runs. The local export and the farm run the same ones.
package struct PlannedJob: Hashable, Sendable {
    package var kind: JobKind
    /// A number that orders the jobs of one kind in the export; no two of them have the same.
    package var ordinal: Int
    package var key: ArtifactKey
    /// What to do, without the sources and, for a stitch, without the output: whoever runs the job adds them.
    package var work: RenderJob
    /// Output frames of a picture segment, a film or a picture, 0 for the others.
    package var frameCount: Int
    /// Predicted time on one slot, in seconds.
    package var weight: Double
    /// What it is predicted to need of its machine.
    package var demand: JobDemand
    /// 63 bits of the content hash of the largest source that it reads; 0 where it reads none. Workers that have read the
    /// source before are better for the job.
    package var source: Int64

    package init(
        kind: JobKind, ordinal: Int, key: ArtifactKey, work: RenderJob, frameCount: Int = 0, weight: Double,
        demand: JobDemand = JobDemand(), source: Int64 = 0
    ) {
        self.source = source
        self.demand = demand
        self.kind = kind
        self.ordinal = ordinal
        self.key = key
        self.work = work
        self.frameCount = frameCount
        self.weight = weight
    }
}

extension PlannedJob {
    /// The job that makes a picture by itself.
    /// - Parameters:
    ///   - costs: what its time is predicted with.
    ///   - facts: the facts of the sources by content hash, for the predictions.
    package init(_ plan: PicturePlan, predictedBy costs: CostTable = .builtIn, facts: [String: SourceFacts] = [:]) {
        let work = RenderJob.picture(plan: plan)
        self.init(
            kind: .picture, ordinal: 0, key: plan.key, work: work, frameCount: plan.sheet.frames.count,
            weight: JobFeatures(work, facts: facts).map(costs.seconds(of:)) ?? 0,
            demand: DemandPrediction(facts: facts).demand(of: work), source: PlannedJob.largestSource(of: work, facts))
    }

    fileprivate static func largestSource(of work: RenderJob, _ facts: [String: SourceFacts]) -> Int64 {
        let largest = work.sources.max { left, right in
            (facts[left]?.byteCount ?? 0, left) < (facts[right]?.byteCount ?? 0, right)
        }
        return largest.flatMap { Int64($0.prefix(15), radix: 16) } ?? 0
    }
}

extension RenderPlan {
    /// The plan's jobs: measurements, the allocation, pictures, sounds, the soundtrack, the stitch, and the pictures
    /// beside the film. Segments and pictures with the same key are one job. A job waits for all jobs of the kinds in `JobKind.needs`.
    /// Predictions are made as if all sources had the canvas's size; `jobs(predictedBy:facts:)` knows better.
    package var jobs: [PlannedJob] { jobs(predictedBy: .builtIn) }

    /// The plan's jobs, whose weights are predicted with these coefficients. Nothing else about them depends on those.
    /// - Parameter facts: the facts of the sources by content hash, for the predictions of time and memory.
    package func jobs(predictedBy costs: CostTable, facts: [String: SourceFacts] = [:]) -> [PlannedJob] {
        let prediction = DemandPrediction(facts: facts)
        var jobs: [PlannedJob] = []
        var seen: Set<ArtifactKey> = []
        func add(_ kind: JobKind, ordinal: Int? = nil, _ key: ArtifactKey, _ work: RenderJob, frameCount: Int = 0) {
            guard let features = JobFeatures(work, facts: facts) else { preconditionFailure("a plan's job has features") }
            jobs.append(
                PlannedJob(
                    kind: kind, ordinal: ordinal ?? jobs.count, key: key, work: work, frameCount: frameCount,
                    weight: costs.seconds(of: features), demand: prediction.demand(of: work),
                    source: PlannedJob.largestSource(of: work, facts)))
        }
        for segment in bitrate?.measures ?? [] where seen.insert(segment.key).inserted {
            add(.measure, segment.key, .measure(segment: segment), frameCount: segment.slice.frameCount)
        }
        if let allocation = bitrate?.allocation {
            add(.allocation, ordinal: 0, allocation.key, .allocation(plan: allocation))
        }
        for segment in videoSegments where seen.insert(segment.key).inserted {
            add(.video, segment.key, .video(segment: segment), frameCount: segment.slice.frameCount)
        }
        for segment in allAudioSegments where seen.insert(segment.key).inserted {
            add(.audio, segment.key, .audio(segment: segment))
        }
        let encodings = allSoundtracks.flatMap { $0.plan.jobs($0.segments) }
        for (index, encoding) in encodings.filter({ seen.insert($0.key).inserted }).enumerated() {
            add(.soundtrack, ordinal: index, encoding.key, encoding.work)
        }
        let segments = videoSegments.map { StitchSegment(key: $0.key, frameCount: $0.slice.frameCount) }
        let work = RenderJob.stitch(plan: stitch, segments: segments, soundtrack: soundtrack?.key, output: nil)
        add(.stitch, ordinal: 0, stitch.key, work, frameCount: stitch.frameCount)
        for picture in pictures?.files ?? [] where seen.insert(picture.key).inserted {
            add(.picture, picture.key, .picture(plan: picture), frameCount: picture.sheet.frames.count)
        }
        return jobs
    }
}
