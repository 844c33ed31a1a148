/// One job of an export before it runs. The local export and the farm run the same ones.
package struct PlannedJob: Hashable, Sendable {
    package var kind: JobKind
    /// A number that orders the jobs of one kind in the export; no two of them have the same.
    package var ordinal: Int
    package var key: ArtifactKey
    /// What to do, without the sources and, for a stitch, without the output: whoever runs the job adds them.
    package var work: RenderJob
    /// Output frames of a picture segment or a film, 0 for the others.
    package var frameCount: Int
    /// Predicted time on one slot, in seconds.
    package var weight: Double

    package init(kind: JobKind, ordinal: Int, key: ArtifactKey, work: RenderJob, frameCount: Int = 0, weight: Double) {
        self.kind = kind
        self.ordinal = ordinal
        self.key = key
        self.work = work
        self.frameCount = frameCount
        self.weight = weight
    }
}

extension RenderPlan {
    /// The plan's jobs: measurements, the allocation, pictures, sounds, the soundtrack, and the stitch. Segments with
    /// the same key are one job. A job waits for all jobs of the kinds in `JobKind.needs`.
    package var jobs: [PlannedJob] {
        var jobs: [PlannedJob] = []
        var seen: Set<ArtifactKey> = []
        for segment in bitrate?.measures ?? [] where seen.insert(segment.key).inserted {
            jobs.append(picture(.measure, segment, .measure(segment: segment), ordinal: jobs.count))
        }
        if let allocation = bitrate?.allocation {
            jobs.append(
                PlannedJob(
                    kind: .allocation, ordinal: 0, key: allocation.key, work: .allocation(plan: allocation),
                    weight: JobWeight.allocation(allocation)))
        }
        for segment in videoSegments where seen.insert(segment.key).inserted {
            jobs.append(picture(.video, segment, .video(segment: segment), ordinal: jobs.count))
        }
        for segment in audioSegments where seen.insert(segment.key).inserted {
            jobs.append(
                PlannedJob(
                    kind: .audio, ordinal: jobs.count, key: segment.key, work: .audio(segment: segment),
                    weight: JobWeight.audio(segment.slice)))
        }
        if let soundtrack {
            jobs.append(
                PlannedJob(
                    kind: .soundtrack, ordinal: 0, key: soundtrack.key,
                    work: .soundtrack(plan: soundtrack, segments: audioSegments.map(\.key)),
                    weight: JobWeight.soundtrack(soundtrack)))
        }
        let segments = videoSegments.map { StitchSegment(key: $0.key, frameCount: $0.slice.frameCount) }
        jobs.append(
            PlannedJob(
                kind: .stitch, ordinal: 0, key: stitch.key,
                work: .stitch(plan: stitch, segments: segments, soundtrack: soundtrack?.key, output: nil),
                frameCount: stitch.frameCount, weight: JobWeight.stitch(stitch)))
        return jobs
    }

    private func picture(_ kind: JobKind, _ segment: VideoSegment, _ work: RenderJob, ordinal: Int) -> PlannedJob {
        PlannedJob(
            kind: kind, ordinal: ordinal, key: segment.key, work: work, frameCount: segment.slice.frameCount,
            weight: JobWeight.video(segment.slice))
    }
}
