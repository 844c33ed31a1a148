import JobQueue
import Redis
import TestSupport

/// A queue seen from both ends.
typealias WholeQueue = CoordinatorQueue & WorkerQueue

/// The queues that the conformance suite runs on, one after the other.
enum QueueKind: String, CaseIterable, Sendable {
    case memory, redis

    /// - Returns: an empty queue that nobody has prepared.
    func make() async throws -> TestQueue {
        switch self {
        case .memory:
            let queue = MemoryJobQueue()
            return TestQueue(queue: queue, successor: { queue }, flush: { await queue.flush() })
        case .redis:
            let server = try await RedisServer.start()
            let connect: @Sendable () throws -> RedisJobQueue = {
                RedisJobQueue(RedisClient(try RedisConfiguration(url: server.url)))
            }
            return TestQueue(queue: try connect(), successor: connect, flush: { _ = try await server.ask(["FLUSHALL"]) })
        }
    }
}

/// A queue under test, with a way to remove everything from it.
struct TestQueue: Sendable {
    let queue: any WholeQueue
    /// The same queue as another coordinator sees it.
    let successor: @Sendable () throws -> any CoordinatorQueue
    /// Loses everything, as a flushed server does.
    let flush: @Sendable () async throws -> Void
}
