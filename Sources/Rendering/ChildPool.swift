import Subprocess
import SystemPackage

/// Runs a graph of jobs in child processes: as many at once as there are slots, each process taking job after job.
public struct ChildPool: Sendable {
    /// What a caller hears while jobs run.
    public enum Event: Sendable {
        case progress(job: Int, done: Int)
        case finished(job: Int)
    }

    private let executable: String
    private let arguments: [String]
    let slots: Int

    /// - Parameters:
    ///   - executable: the program, and `arguments` the words that make it run a `ChildLoop`.
    ///   - slots: processes at a time, at least 1.
    public init(executable: String, arguments: [String], slots: Int) {
        self.executable = executable
        self.arguments = arguments
        self.slots = max(1, slots)
    }

    /// Runs all jobs to their end.
    ///
    /// Cancelling the task ends every process.
    /// - Returns: results by index.
    /// - Throws: the first `JobFailure`, or `CancellationError`.
    public func run(_ nodes: [JobGraph.Node], _ event: @escaping @Sendable (Event) -> Void) async throws -> [Int: JobResult] {
        let queue = JobQueue(JobGraph(nodes))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<min(slots, nodes.count) {
                    group.addTask { try await serve(queue, event) }
                }
                try await group.waitForAll()
            }
        } catch {
            // The first failure ends the other slots; what they throw on their way out is not the reason.
            throw await queue.graph.failure ?? error
        }
        try Task.checkCancellation()
        return await queue.graph.results
    }

    /// One slot: a process, and another one when it dies, until the graph is over.
    private func serve(_ queue: JobQueue, _ event: @escaping @Sendable (Event) -> Void) async throws {
        while let first = await queue.next() {
            try Task.checkCancellation()
            var options = PlatformOptions()
            options.processGroupID = 0
            options.teardownSequence = []
            let current = CurrentJob(first)
            do {
                let outcome = try await Subprocess.run(
                    .path(FilePath(executable)), arguments: Arguments(arguments),
                    environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]), platformOptions: options,
                    input: .inputWriter, output: .sequence, error: .currentStandardError
                ) { execution in
                    var lines = execution.standardOutput.strings(bufferingPolicy: .unbounded).makeAsyncIterator()
                    while let index = await current.index {
                        let job = await queue.job(index)
                        _ = try await execution.standardInputWriter.write(try MessageLine.encode(job))
                        guard try await converse(index, &lines, queue, event) else { return }
                        await current.set(await queue.next())
                    }
                    try await execution.standardInputWriter.finish()
                }
                if let index = await current.index {
                    try await queue.crash(index, "\(outcome.terminationStatus)")
                }
            } catch let error as SubprocessError {
                try Task.checkCancellation()
                if let index = await current.index { try await queue.crash(index, "\(error)") }
            }
        }
    }

    /// Listens until the job has ended.
    /// - Returns: false when the process died instead.
    private func converse(
        _ index: Int, _ lines: inout SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator, _ queue: JobQueue,
        _ event: @Sendable (Event) -> Void
    ) async throws -> Bool {
        while let line = try await lines.next() {
            switch try MessageLine.decode(ChildMessage.self, line) {
            case .progress(let done):
                event(.progress(job: index, done: done))
            case .finished(let result):
                await queue.finish(index, result)
                event(.finished(job: index))
                return true
            case .failed(let failure):
                await queue.fail(failure)
                throw failure
            }
        }
        return false
    }
}

/// The job that a slot's process has; nil between the last one and the process's end.
private actor CurrentJob {
    private(set) var index: Int?

    init(_ index: Int) {
        self.index = index
    }

    func set(_ index: Int?) { self.index = index }
}

/// The graph, shared by the slots; a slot with nothing to do waits here.
private actor JobQueue {
    private(set) var graph: JobGraph
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ graph: JobGraph) {
        self.graph = graph
    }

    func job(_ index: Int) -> RenderJob { graph.nodes[index].job }

    /// The next job, or nil when there will be none.
    func next() async -> Int? {
        while !Task.isCancelled {
            if let index = graph.take() { return index }
            if graph.isOver { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting.append($0) }
            } onCancel: {
                Task { await self.wake() }  // only wakes the sleepers, who look at their own cancellation
            }
        }
        return nil
    }

    func finish(_ index: Int, _ result: JobResult) {
        graph.finish(index, result)
        wake()
    }

    /// - Throws: the graph's failure, when this was the job's last attempt.
    func crash(_ index: Int, _ reason: String) throws {
        graph.crash(index, reason)
        wake()
        if let failure = graph.failure { throw failure }
    }

    func fail(_ failure: JobFailure) {
        graph.fail(failure)
        wake()
    }

    private func wake() {
        let sleepers = waiting
        waiting = []
        for sleeper in sleepers { sleeper.resume() }
    }
}
