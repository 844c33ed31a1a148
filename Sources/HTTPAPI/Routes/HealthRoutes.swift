import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import Logging

/// Says whether the process is alive (`/healthz`) and whether it can work (`/readyz`), and what is missing. Neither needs
/// a token, so neither says where something is or why it does not answer; the log does.
struct HealthRoutes {
    let observer: FarmObserver

    func add(to router: inout DescribedRouter) {
        router.addOpen(
            RouteDescription(
                .get, "/healthz", "getHealth", "Says that the coordinator is alive. No limit on requests counts it.", scopes: [],
                answers: [
                    .json(
                        Liveness.self,
                        "`status` is `ok`; `missing` lists what did not answer when it was last looked at. Nothing is looked at for "
                            + "this answer")
                ]), use: alive)
        router.addOpen(
            RouteDescription(
                .get, "/readyz", "getReadiness",
                "Says whether the coordinator can work, as it was within the last 5 seconds. `missing` says in words what does not "
                    + "answer, and `warnings` what else the farm lacks: a leader, or workers of a role.",
                scopes: [],
                answers: [
                    .json(Readiness.self, "`database`, `queue` and `store` are true"),
                    .json(Readiness.self, "`database`, `queue` or `store` is false", status: 503),
                ]), use: ready)
    }

    @Sendable private func alive(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        try .json(Liveness(missing: await observer.lastReadiness()?.missing ?? []))
    }

    @Sendable private func ready(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let (readiness, errors) = await observer.readiness()
        for (part, error) in errors {
            context.logger.warning("the \(part) does not answer", metadata: ["error": "\(error)"])
        }
        return try .json(readiness, status: readiness.isReady ? .ok : .serviceUnavailable)
    }
}
