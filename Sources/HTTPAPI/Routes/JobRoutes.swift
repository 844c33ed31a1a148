import Coordinator
import FarmAPI
import Hummingbird
import JobQueue
import FoundationEssentials

/// Shows and lists jobs and their attempts.
struct JobRoutes {
    let store: any JobStore
    let wake: @Sendable () -> Void

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/jobs", "listJobs", "Lists jobs in the order in which they were planned.", scopes: [.read],
                query: [
                    QueryParameter("export", "an export's id", "only jobs of this export", ExportID.schema),
                    .choice("state", JobState.self, "only jobs in this state"),
                    .choice("role", WorkerRole.self, "only jobs of this role"),
                ] + QueryParameter.page,
                answers: [.json(Listing<Job>.self, "a listing of jobs")], faults: [.badRequest, .notFound]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/jobs/:id", "getJob", "Shows a job with all its attempts.", scopes: [.read], parameters: [.job],
                answers: [.json(JobDetail.self, "the job and its attempts")], faults: [.notFound]), use: show)
        router.add(
            RouteDescription(
                .post, "/v1/jobs/:id/retry", "retryJob", "Retries a failed job of a failed export, which then goes on.",
                scopes: [.submit],
                parameters: [.job], answers: [.json(JobDetail.self, "the job and its attempts")], faults: [.notFound, .conflict]),
            use: retry)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let query = try request.query("export", "state", "role", "limit", "cursor")
        let page = try Page(query)
        let filter = JobFilter(
            tenant: caller.visibleTenant, export: try query.exportID("export"), state: try query.choice("state", JobState.self),
            role: try query.choice("role", WorkerRole.self), after: try page.number(), limit: page.asked)
        return try .json(page.listing(try await store.jobs(filter)) { "\($0.id)" })
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        return try .json(try await find(context, caller))
    }

    @Sendable private func retry(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let found = try await find(context, caller)
        try await store.retry(found.job.id)
        wake()
        return try .json(try await find(context, caller))
    }

    private func find(_ context: FarmRequestContext, _ caller: Caller) async throws -> JobDetail {
        let id = try context.number("job")
        guard let found = try await store.job(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no job \(id)")
        }
        return JobDetail(found.job, attempts: found.attempts)
    }
}
