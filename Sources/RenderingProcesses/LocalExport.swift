package import ArtifactStore
package import ExportPlan
import Glibc

/// Runs a whole plan on this machine. Artifacts in the store are reused, rendering processes make the others, and the
/// film gets its name only when it is complete.
package struct LocalExport: Sendable {
    /// The progress that is reported while the export runs.
    package struct Progress: Sendable, Equatable {
        /// The number of frames rendered in this run; frames that are measured first count twice.
        package var framesDone = 0
        /// The number of frames to render in this run; frames that are measured first count twice.
        package var framesToRender = 0
        /// The number of frames of the whole film.
        package var frameCount = 0
        package var segmentsReused = 0
        package var segmentsToRender = 0

        package init() {}
    }

    private let plan: RenderPlan
    private let sources: [String: SourceReference]
    private let store: any ArtifactStore
    private let pool: ChildPool

    /// - Parameter sources: source references by content hash.
    package init(plan: RenderPlan, sources: [String: SourceReference], store: any ArtifactStore, pool: ChildPool) {
        self.plan = plan
        self.sources = sources
        self.store = store
        self.pool = pool
    }

    /// The results of a successful export, beside the film.
    package struct Outcome: Sendable, Hashable {
        /// The time that all jobs together took, by kind of work.
        package var cost: JobCost
        /// Damage in the sources that was concealed, including that in reused segments.
        package var warnings: [SourceWarning]
    }

    /// - Parameters:
    ///   - output: the film's path. If the export fails, no file appears there, and none is left beside it.
    ///   - replacing: whether a file that exists at `output` when the film is complete is replaced.
    /// - Throws: `JobFailure`, `OutputCheck.Fault` where the film cannot get its name, or `CancellationError`.
    package func run(
        to output: String, replacing: Bool = true, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> Outcome {
        let partial = PartialFile(of: output)
        partial.removeLeftovers()
        // This also runs after an error. By then the rendering processes are gone, so their unfinished files can be
        // removed.
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

    /// The graph of the jobs that have to run, and the number of frames of each job.
    struct Work {
        var nodes: [JobGraph.Node] = []
        var frames: [Int: Int] = [:]
        /// The number of picture segments that are encoded.
        var segments = 0
        var reused = 0
    }

    /// The jobs that have to run: sound first, so that it is encoded while pictures are rendered; then pictures, long
    /// segments first; then the stitch.
    private func schedule(_ partial: String) throws -> Work {
        let jobs = plan.jobs
        let needed = try NeededJobs(jobs) { try store.localFile(for: $0) != nil }
        var work = Work()
        work.reused = needed.found
        var scheduled: [JobKind: Set<Int>] = [:]
        for job in jobs.filter(\.isSound) + jobs.filter({ !$0.isSound }) where needed.contains(job) {
            let index = work.nodes.count
            if let frames = framesRendered(by: job) { work.frames[index] = frames }
            if job.kind == .video { work.segments += 1 }
            let needs = job.kind.needs.reduce(into: Set<Int>()) { $0.formUnion(scheduled[$1] ?? []) }
            let complete = job.work.with(sourcesAmong: sources).with(output: partial)
            work.nodes.append(.init(complete, after: needs, weight: job.localWeight))
            scheduled[job.kind, default: []].insert(index)
        }
        return work
    }

    /// The number of frames that the job renders, for the progress; nil for a job that renders none.
    private func framesRendered(by job: PlannedJob) -> Int? {
        switch job.kind {
        case .measure, .video: job.frameCount
        case .stitch: plan.stitch.copied?.frameCount
        case .probe, .allocation, .audio, .soundtrack: nil
        }
    }
}

extension PlannedJob {
    fileprivate var isSound: Bool { kind == .audio || kind == .soundtrack }

    /// The rank among jobs that are ready at the same time. A soundtrack and an allocation are single jobs for which
    /// others wait, and come before everything else.
    fileprivate var localWeight: Int {
        switch kind {
        case .allocation, .soundtrack: 2_000_000
        case .audio: 1_000_000
        case .probe, .measure, .video, .stitch: frameCount
        }
    }
}
