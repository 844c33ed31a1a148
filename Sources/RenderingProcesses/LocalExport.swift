package import ArtifactStore
package import ExportPlan
import Glibc
import Synchronization

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
    private let costs: LocalCosts?

    /// - Parameters:
    ///   - sources: source references by content hash.
    ///   - costs: where the export's jobs teach how long such jobs take; nil for nowhere.
    package init(
        plan: RenderPlan, sources: [String: SourceReference], store: any ArtifactStore, pool: ChildPool, costs: LocalCosts? = nil
    ) {
        self.costs = costs
        self.plan = plan
        self.sources = sources
        self.store = store
        self.pool = pool
    }

    /// The results of a successful export, beside the film.
    package struct Outcome: Sendable, Hashable {
        /// The time that all jobs together took, by kind of work, and what the largest of them took of memory.
        package var cost: JobCost
        /// The largest memory that was predicted for a job, in bytes.
        package var predictedMemory: Int64
        /// Damage in the sources that was concealed, including that in reused segments.
        package var warnings: [SourceWarning]
        /// The seconds that each job took which ran, by the key of its artifact. The other artifacts were there already.
        package var jobSeconds: [ArtifactKey: Double]
    }

    /// - Parameters:
    ///   - output: the film's path. The pictures beside it have names that begin with it (`RenderPlan.files(beside:)`). If the
    ///     export fails, no file appears there, and none is left beside it.
    ///   - replacing: whether a file that exists at `output` when the film is complete is replaced.
    /// - Throws: `JobFailure`, `OutputCheck.Fault` where the film cannot get its name, or `CancellationError`.
    package func run(
        to output: String, replacing: Bool = true, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> Outcome {
        let partial = PartialFile(of: output)
        let pictures = PicturesBesideFilm(plan, beside: output)
        partial.removeLeftovers()
        // This also runs after an error. By then the rendering processes are gone, so their unfinished files can be
        // removed.
        defer {
            partial.remove()
            pictures.remove()
            store.removeLeftovers()
        }
        let work = try work(writingTo: partial.path)
        let tracker = ProgressTracker(work, frameCount: plan.stitch.frameCount, report)
        let measured = MeasuredJobs(work.nodes)
        let results = try await pool.run(work.nodes) { event in
            tracker.heard(event)
            measured.heard(event)
        }
        try pictures.write(from: store)
        try partial.complete(replacing: replacing)
        try pictures.complete(replacing: replacing)
        costs?.learn(measured.measurements)
        let inOrder = results.sorted { $0.key < $1.key }.map(\.value)
        var cost = inOrder.reduce(JobCost()) { $0 + $1.cost }
        // The largest of some jobs says nothing of the largest of all.
        if inOrder.contains(where: { $0.cost.usage == nil }) { cost.usage = nil }
        return Outcome(
            cost: cost, predictedMemory: work.nodes.map(\.demand.memory).max() ?? 0,
            warnings: inOrder.flatMap { $0.warnings ?? [] }.distinct,
            jobSeconds: Dictionary(measured.seconds.map { (work.keys[$0], $1) }) { $0 + $1 })
    }

    /// The graph of the jobs that have to run, and the number of frames of each job.
    struct Work {
        var nodes: [JobGraph.Node] = []
        /// The key of each job's artifact.
        var keys: [ArtifactKey] = []
        var frames: [Int: Int] = [:]
        /// The number of picture segments that are encoded.
        var segments = 0
        var reused = 0
    }

    private func work(writingTo partial: String) throws -> Work {
        let schedule = try LocalSchedule(plan.jobs) { try store.localFile(for: $0) != nil }
        var work = Work()
        work.reused = schedule.reused
        work.keys = schedule.jobs.map(\.key)
        work.nodes = schedule.nodes { $0.with(sourcesAmong: sources).with(output: partial) }
        for (index, job) in schedule.jobs.enumerated() {
            if let frames = framesRendered(by: job) { work.frames[index] = frames }
            if job.kind == .video { work.segments += 1 }
        }
        return work
    }

    /// The number of frames that the job renders, for the progress; nil for a job that renders none.
    private func framesRendered(by job: PlannedJob) -> Int? {
        switch job.kind {
        case .measure, .video: job.frameCount
        case .stitch: plan.stitch.copied?.frameCount
        case .probe, .allocation, .audio, .soundtrack, .picture: nil
        }
    }
}

/// Collects how long the jobs of an export took.
private final class MeasuredJobs: Sendable {
    private let found = Mutex<[(job: Int, seconds: Double)]>([])
    private let nodes: [JobGraph.Node]

    init(_ nodes: [JobGraph.Node]) {
        self.nodes = nodes
    }

    /// The seconds that each job took which has finished.
    var seconds: [(job: Int, seconds: Double)] { found.withLock { $0 } }

    /// The measurements that the cost model learns from.
    var measurements: [JobMeasurement] { seconds.compactMap { JobMeasurement(nodes[$0.job].job, seconds: $0.seconds) } }

    func heard(_ event: ChildPool.Event) {
        guard case .finished(let job, let seconds) = event else { return }
        found.withLock { $0.append((job, seconds)) }
    }
}
