import Dispatch
import Synchronization

/// A few threads for work that computes for long, with a bounded queue in front of them.
///
///     let draft = try await pool.run(lane: tenant) { Draft.read(document) }
///
/// Swift's own threads are as many as there are cores: two documents of half a megabyte that are read on them stop every other
/// request. Here the system shares the cores out between these threads and Swift's. Whoever asks names a lane, such as its
/// tenant; lanes take turns, and where there are two threads or more, one lane leaves one of them to the others.
public final class BlockingPool: Sendable {
    /// There is no room in the queue: the work was not begun, and may be asked for again later.
    public struct Full: Error, Hashable, Sendable {
        /// Whether the lane's own share is used up, and not the whole queue.
        public var isLaneFull: Bool

        public init(isLaneFull: Bool) {
            self.isLaneFull = isLaneFull
        }
    }

    private let core: Core

    /// - Parameters:
    ///   - name: what `top -H` shows, at most 15 bytes.
    ///   - threads: 1 or more.
    ///   - waiting: pieces of work that may wait for a thread, in all lanes together.
    ///   - waitingPerLane: pieces of work of one lane that may wait.
    public init(name: String, threads: Int, waiting: Int, waitingPerLane: Int) {
        precondition(threads > 0, "a pool without threads does nothing")
        core = Core(waiting: waiting, waitingPerLane: waitingPerLane, threads: threads)
        for _ in 0..<threads {
            startThread(named: name) { [core] in core.run() }
        }
    }

    deinit { core.close() }

    /// Pieces of work that wait for a thread.
    public var waiting: Int { core.queue.withLock { $0.count } }
    /// Pieces of work that have left the queue since the beginning.
    public var begun: Int { core.queue.withLock { $0.taken } }

    /// Runs `body` on one of the threads, to its end.
    /// - Parameter lane: whose work it is.
    /// - Throws: what `body` throws, or `Full`.
    public func run<Result: Sendable>(
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
                // Nothing to do: all is done and the pool is closed, or what waits has to wait for others of its lane.
                if isClosed.withLock({ $0 }) { return }
                continue
            }
            work()
            let isMoreWaiting = queue.withLock { queue in
                queue.ended(lane: lane)
                return queue.count > 0
            }
            // What had to wait for this one may have no signal left.
            if isMoreWaiting { arrived.signal() }
        }
    }
}
