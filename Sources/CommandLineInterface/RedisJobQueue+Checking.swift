package import JobQueue
package import Logging
import Redis

extension RedisJobQueue {
    /// A queue on a Redis server that answers and has the right configuration. Entries that cannot be read are logged.
    /// - Throws: `CommandFailure` that says how to correct the error.
    package static func checked(url: String, _ logger: Logger) async throws -> RedisJobQueue {
        do {
            let queue = RedisJobQueue(RedisClient(try RedisConfiguration(url: url))) { logger.warning("\($0)") }
            if let complaint = try await queue.complaint() {
                throw CommandFailure(complaint, status: ExitStatus.unavailable)
            }
            return queue
        } catch let error as RedisError {
            throw CommandFailure(
                error.description, status: error.code == .invalidConfiguration ? ExitStatus.usage : ExitStatus.unavailable)
        }
    }
}
