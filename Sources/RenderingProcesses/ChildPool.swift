package import ExportPlan
import Vocabulary

/// Runs a graph of jobs in child processes, as many at once as there are slots and as fit into memory by their predicted
/// demands; each process does one job after another.
package struct ChildPool: Sendable {
    /// An event that is reported while jobs run.
    package enum Event: Sendable {
        case progress(job: Int, done: Int)
        /// The job has ended with success, after it held its slot for so many seconds.
        case finished(job: Int, seconds: Double)
    }

    /// The processes of a pool that are started before they have a job. Starting one takes about as long as drawing a picture.
    package enum EarlyStart: Sendable {
        case none
        /// One, at once, for the first run.
        case first
        /// One at once, and another one for each further run.
        case each
    }

    private let process: RenderingProcess
    private let store: String
    let slots: Int
    private let memory: Int64?
    /// The process that waits for a run; nil if processes start with their first jobs.
    private let early: EarlyProcess<GraphFeed>?

    /// - Parameters:
    ///   - store: the artifact store's directory.
    ///   - slots: the number of processes at a time, at least 1.
    ///   - memory: bytes that the jobs of a graph may occupy together; nil sets no limit.
    ///   - early: which processes are started before they have a job. Such a pool must be closed.
    package init(
        _ process: RenderingProcess, store: String, slots: Int, memory: Int64? = nil, early: EarlyStart = .none
    ) {
        self.memory = memory
        self.early = early == .none ? nil : EarlyProcess(process, isFollowed: early == .each)
        self.process = process
        self.store = store
        self.slots = max(1, slots)
    }

    /// Ends the process that waits for a run.
    package func close() async { await early?.close() }

    /// Runs all jobs to their end.
    ///
    /// Cancelling the task ends every process.
    /// - Parameters:
    ///   - isQuiet: whether to discard what processes write to standard error.
    ///   - processors: how many of the slots' processors the jobs may use; nil for all.
    /// - Returns: the results by job index.
    /// - Throws: the first `JobFailure`, or `CancellationError`.
    package func run(
        _ nodes: [JobGraph.Node], isQuiet: Bool = false, processors: Int? = nil,
        _ event: @escaping @Sendable (Event) -> Void
    ) async throws -> [Int: JobResult] {
        let feed = GraphFeed(
            JobGraph(nodes, memory: memory), store: store, processors: processors ?? slots, isQuiet: isQuiet, event)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for slot in 0..<min(slots, nodes.count) {
                    if slot == 0, let early {
                        group.addTask { try await early.serve(feed) }
                    } else {
                        group.addTask { try await process.serve(feed) }
                    }
                }
                try await group.waitForAll()
            }
        } catch {
            // The first failure stops the other slots; the errors that they then throw are not the reason.
            throw await feed.graph.failure ?? error
        }
        try Task.checkCancellation()
        return await feed.graph.results
    }
}

/// The job graph, shared by the slots; slots without a job wait here.
actor GraphFeed: JobFeed {
    private(set) var graph: JobGraph
    /// More threads than this make a decoder hardly any faster, and each of them keeps frames.
    private static let mostDecoderThreads = 4

    private let store: String
    private let processors: Int
    private let isQuiet: Bool
    private let event: @Sendable (ChildPool.Event) -> Void
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// When slots took the running jobs.
    private var taken: [Int: ContinuousClock.Instant] = [:]

    init(
        _ graph: JobGraph, store: String, processors: Int, isQuiet: Bool, _ event: @escaping @Sendable (ChildPool.Event) -> Void
    ) {
        self.graph = graph
        self.store = store
        self.processors = processors
        self.isQuiet = isQuiet
        self.event = event
    }

    func next() async -> Assignment<Int>? {
        while !Task.isCancelled {
            if let index = graph.take() {
                taken[index] = .now
                let threads = min(graph.share(of: processors, for: index), GraphFeed.mostDecoderThreads)
                return Assignment(index, RenderOrder(graph.nodes[index].job, store: store, decoderThreads: threads))
            }
            if graph.isOver { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting.append($0) }
            } onCancel: {
                Task { await self.wake() }  // it only wakes waiting slots, which check their own cancellation
            }
        }
        return nil
    }

    func started(_ index: Int, stop: @escaping @Sendable () -> Void) {}

    func progress(_ index: Int, done: Int) { event(.progress(job: index, done: done)) }

    /// - Throws: the graph's failure.
    func ended(_ index: Int, _ outcome: JobOutcome, log: String) throws {
        if !log.isEmpty, !isQuiet { printError(log.printableDocument + "\n") }
        switch outcome {
        case .finished(let result):
            graph.finish(index, result)
            event(.finished(job: index, seconds: (taken[index] ?? .now).duration(to: .now) / .seconds(1)))
        case .failed(let failure): graph.fail(failure)
        case .died(let death) where death.failureClass == .crash: graph.crash(index, death.description)
        case .died(let death): graph.fail(JobFailure(death.failureClass, subject: "", message: death.description))
        }
        wake()
        if let failure = graph.failure { throw failure }
    }

    private func wake() {
        let sleepers = waiting
        waiting = []
        for sleeper in sleepers { sleeper.resume() }
    }
}
