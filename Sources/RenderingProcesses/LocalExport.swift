public import ArtifactStore
public import ExportPlan
import OwnedFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs a whole plan on this machine: what is in the store already is used, the rest is rendered by child processes, and
/// the film appears under its name only when it is complete.
public struct LocalExport: Sendable {
    /// What a caller hears while the export runs.
    public struct Progress: Sendable, Equatable {
        /// Output frames rendered in this run; those that are measured first count twice.
        public var framesDone = 0
        /// Output frames that have to be rendered in this run; those that are measured first count twice.
        public var framesToRender = 0
        /// Output frames of the whole film.
        public var frameCount = 0
        public var segmentsReused = 0
        public var segmentsToRender = 0

        public init() {}
    }

    private let plan: RenderPlan
    private let sources: [String: SourceReference]
    private let store: any ArtifactStore
    private let pool: ChildPool

    /// - Parameter sources: by content hash.
    public init(plan: RenderPlan, sources: [String: SourceReference], store: any ArtifactStore, pool: ChildPool) {
        self.plan = plan
        self.sources = sources
        self.store = store
        self.pool = pool
    }

    /// What there is to say about an export that succeeded.
    public struct Outcome: Sendable, Hashable {
        /// Where the time of all jobs together went.
        public var cost: JobCost
        /// Damage in the sources that was concealed, also where a segment was in the store already.
        public var warnings: [SourceWarning]
    }

    /// - Parameters:
    ///   - output: the film's path; nothing appears there, and nothing is left beside it, unless it succeeds.
    ///   - replacing: whether a film that is there when this one is complete is replaced.
    /// - Throws: `JobFailure`, `OutputCheck.Fault` where the film cannot have its name, or `CancellationError`.
    public func run(
        to output: String, replacing: Bool = true, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> Outcome {
        let partial = PartialFile(of: output)
        partial.removeLeftovers()
        // Whatever ended the export: its processes are gone by then, and what they were writing goes too.
        defer {
            partial.remove()
            store.removeLeftovers()
        }
        let work = try schedule(partial.path)
        let tracker = ProgressTracker(work, frameCount: plan.stitch.frameCount, report)
        let results = try await pool.run(work.nodes) { tracker.heard($0) }
        try partial.complete(replacing: replacing)
        let inOrder = results.sorted { $0.key < $1.key }.map(\.value)
        return Outcome(
            cost: inOrder.reduce(JobCost()) { $0 + $1.cost }, warnings: inOrder.flatMap { $0.warnings ?? [] }.distinct)
    }

    /// The graph of what is still to do, and how many frames each job has.
    struct Work {
        var nodes: [JobGraph.Node] = []
        var frames: [Int: Int] = [:]
        /// Picture segments that are encoded.
        var segments = 0
        var reused = 0
    }

    /// Sound first, so that its encoding runs beside the pictures; then pictures, long ones first; the stitch last.
    private func schedule(_ partial: String) throws -> Work {
        var work = Work()
        var planned: Set<ArtifactKey> = []
        var reused = 0
        func isNeeded(_ key: ArtifactKey) throws -> Bool {
            guard planned.insert(key).inserted else { return false }
            guard try store.localFile(for: key) != nil else { return true }
            reused += 1
            return false
        }
        if let soundtrack = plan.soundtrack, try isNeeded(soundtrack.key) {
            var mixes: Set<Int> = []
            for segment in plan.audioSegments where try isNeeded(segment.key) {
                mixes.insert(work.nodes.count)
                let job = RenderJob.audio(segment: segment).with(sourcesAmong: sources)
                work.nodes.append(.init(job, weight: 1_000_000))
            }
            work.nodes.append(
                .init(
                    .soundtrack(plan: soundtrack, segments: plan.audioSegments.map(\.key)), after: mixes, weight: 2_000_000))
        }
        let pictures = try plan.videoSegments.filter { try isNeeded($0.key) }
        let allocation = try scheduleAllocation(for: pictures, in: &work, isNeeded)
        for segment in pictures {
            work.segments += 1
            work.frames[work.nodes.count] = segment.slice.frameCount
            let job = RenderJob.video(segment: segment).with(sourcesAmong: sources)
            work.nodes.append(.init(job, after: allocation, weight: segment.slice.frameCount))
        }
        work.reused = reused
        let segments = plan.videoSegments.map { StitchSegment(key: $0.key, frameCount: $0.slice.frameCount) }
        let stitch = RenderJob.stitch(
            plan: plan.stitch, segments: segments, soundtrack: plan.soundtrack?.key, output: partial)
        if let copied = plan.stitch.copied { work.frames[work.nodes.count] = copied.frameCount }
        work.nodes.append(.init(stitch.with(sourcesAmong: sources), after: Set(work.nodes.indices)))
        return work
    }

    /// What has to be measured and allocated before these segments can be encoded.
    /// - Returns: the jobs that they wait for.
    private func scheduleAllocation(
        for segments: [VideoSegment], in work: inout Work, _ isNeeded: (ArtifactKey) throws -> Bool
    ) throws -> Set<Int> {
        guard let bitrate = plan.bitrate, !segments.isEmpty else { return [] }
        let first = work.nodes.count
        for segment in bitrate.measures where try isNeeded(segment.key) {
            work.frames[work.nodes.count] = segment.slice.frameCount
            let job = RenderJob.measure(segment: segment).with(sourcesAmong: sources)
            work.nodes.append(.init(job, weight: segment.slice.frameCount))
        }
        let measures = Set(first..<work.nodes.count)
        guard try isNeeded(bitrate.allocation.key) else { return measures }
        work.nodes.append(.init(.allocation(plan: bitrate.allocation), after: measures, weight: 2_000_000))
        return measures.union([work.nodes.count - 1])
    }
}
