import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import Logging

/// Whether the process lives, and whether it can work; both are told without a token.
struct HealthRoutes {
    let store: any JobStore
    let queue: any CoordinatorQueue

    func add(to router: Router<FarmRequestContext>) {
        router.get("healthz") { _, _ in try Response.json(["status": "ok"]) }
        router.get("readyz", use: ready)
    }

    @Sendable private func ready(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        var readiness = Readiness(database: true, queue: true)
        do {
            _ = try await store.pausedRoles()
        } catch {
            context.logger.warning("the database does not answer", metadata: ["error": "\(error)"])
            readiness.database = false
        }
        do {
            _ = try await queue.workers()
        } catch {
            context.logger.warning("the queue does not answer", metadata: ["error": "\(error)"])
            readiness.queue = false
        }
        return try .json(readiness, status: readiness.isReady ? .ok : .serviceUnavailable)
    }
}
