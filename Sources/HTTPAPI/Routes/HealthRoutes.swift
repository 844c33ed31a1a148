import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import Logging

/// Says whether the process is alive (`/healthz`) and whether it can work (`/readyz`). Neither needs a token.
struct HealthRoutes {
    let store: any JobStore
    let queue: any CoordinatorQueue

    func add(to router: inout DescribedRouter) {
        router.addOpen(
            RouteDescription(
                .get, "/healthz", "Says that the coordinator is alive. No limit on requests counts it.", scopes: [],
                answers: [.json("`status` is `ok`")])
        ) { _, _ in try Response.json(["status": "ok"]) }
        router.addOpen(
            RouteDescription(
                .get, "/readyz", "Says whether the coordinator can work.", scopes: [],
                answers: [
                    .json("`database` and `queue` are true"), .json("`database` or `queue` is false", status: 503),
                ]), use: ready)
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
