package import JobQueue
package import Logging
import Redis
import Telemetry

extension RedisJobQueue {
    /// A queue on a Redis server that answers and has the right configuration. Entries that cannot be read are logged.
    /// - Throws: `CommandFailure` that says how to correct the error.
    package static func checked(url: String, _ logger: Logger) async throws -> RedisJobQueue {
        do {
            let client = RedisClient(try RedisConfiguration(url: url)) { call in
                if call.hasFailed {
                    FarmMetric.redisErrors.add(1, call.operation)
                } else {
                    FarmMetric.redisTime.observe(call.time, call.operation)
                }
            }
            let queue = RedisJobQueue(client) { logger.warning("\($0)") }
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
