import Dispatch
import Synchronization

/// A few threads for long computations, with a bounded queue in front of them.
///
///     let draft = try await pool.run(lane: tenant) { Draft.read(document) }
///
/// Swift has as many threads as there are cores: two documents of half a megabyte that are read on them stop every
/// other request. Here the operating system shares the cores between these threads and Swift's. Each caller names a
/// lane, such as its tenant. Lanes take turns, and where there are two threads or more, one lane leaves one of them to
/// the others.
package final class BlockingPool: Sendable {
    /// The queue has no room. The work was not begun, and may be submitted again later.
    package struct Full: Error, Hashable, Sendable {
        /// Whether the lane's own share is used up, and not the whole queue.
        package var isLaneFull: Bool

        package init(isLaneFull: Bool) {
            self.isLaneFull = isLaneFull
        }
    }

    private let core: Core

    /// - Parameters:
    ///   - name: what `top -H` shows, at most 15 bytes.
    ///   - threads: 1 or more.
    ///   - waiting: work items that may wait for a thread, in all lanes together.
    ///   - waitingPerLane: work items of one lane that may wait.
    package init(name: String, threads: Int, waiting: Int, waitingPerLane: Int) {
        precondition(threads > 0, "a pool without threads does nothing")
        core = Core(waiting: waiting, waitingPerLane: waitingPerLane, threads: threads)
        for _ in 0..<threads {
            startThread(named: name) { [core] in core.run() }
        }
    }

    deinit { core.close() }

    /// Work items that wait for a thread.
    package var waiting: Int { core.queue.withLock { $0.count } }
    /// Work items that have left the queue since the beginning.
    package var begun: Int { core.queue.withLock { $0.taken } }

    /// Runs `body` on one of the threads, to its end.
    /// - Parameter lane: the lane of the caller, such as its tenant.
    /// - Throws: what `body` throws, or `Full`.
    package func run<Result: Sendable>(
        lane: Int64, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Result, any Error>) in
            let refusal = core.add(lane: lane) { waiter.resume(with: Swift.Result(catching: body)) }
            if let refusal { waiter.resume(throwing: Full(isLaneFull: refusal == .laneIsFull)) }
        }
    }
}

/// The queue, and the loop that each thread runs.
private final class Core: Sendable {
    typealias Work = @Sendable () -> Void

    let queue: Mutex<LaneQueue<Work>>
    private let arrived = DispatchSemaphore(value: 0)
    private let threads: Int
    private let isClosed = Mutex(false)

    init(waiting: Int, waitingPerLane: Int, threads: Int) {
        queue = Mutex(
            LaneQueue(limit: waiting, laneLimit: waitingPerLane, underWayPerLane: max(1, threads - 1)))
        self.threads = threads
    }

    func add(lane: Int64, _ work: @escaping Work) -> LaneQueue<Work>.Refusal? {
        let refusal = queue.withLock { $0.add(work, lane: lane) }
        if refusal == nil { arrived.signal() }
        return refusal
    }

    /// Lets the threads end once nothing waits any more.
    func close() {
        isClosed.withLock { $0 = true }
        for _ in 0..<threads { arrived.signal() }
    }

    func run() {
        while true {
            arrived.wait()
            guard let (work, lane) = queue.withLock({ $0.next() }) else {
                // Nothing to do: the pool is closed and all work is done, or the waiting items have to wait for others
                // of their lane.
                if isClosed.withLock({ $0 }) { return }
                continue
            }
            work()
            let isMoreWaiting = queue.withLock { queue in
                queue.ended(lane: lane)
                return queue.count > 0
            }
            // Items that had to wait for this one may have no signal left.
            if isMoreWaiting { arrived.signal() }
        }
    }
}
