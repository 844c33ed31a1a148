import Coordinator
import FarmAPI
import Hummingbird

/// Lists and discards jobs that failed for good as crashes. They are shown and retried as all jobs are (`JobRoutes`).
struct DeadLetterRoutes {
    let store: any DeadLetterStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/dead-letters", "listDeadLetters",
                "Lists the jobs whose rendering processes crashed until the farm gave them up, in the order in which they were "
                    + "planned. `GET /v1/jobs/ID` has the attempts with their logs, `POST /v1/jobs/ID/retry` retries one.",
                scopes: [.read], query: QueryParameter.page,
                answers: [.json(Listing<DeadLetter>.self, "a listing of dead letters")], faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .delete, "/v1/dead-letters/:id", "discardDeadLetter",
                "Takes a job off the list of dead letters. The job and its export stay as they are.", scopes: [.submit],
                parameters: [.job], answers: [RouteAnswer(204, nil, "the job is listed no longer")], faults: [.notFound]),
            use: discard)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let letters = try await store.deadLetters(
            tenant: caller.visibleTenant, after: try page.number(), limit: page.asked)
        return try .json(page.listing(letters) { "\($0.job)" })
    }

    @Sendable private func discard(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        try await store.discardDeadLetter(try context.number("job"), tenant: caller.visibleTenant)
        return Response(status: .noContent)
    }
}
