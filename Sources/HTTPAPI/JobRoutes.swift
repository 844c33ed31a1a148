import Coordinator
import FarmAPI
import Hummingbird
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Jobs and their tries.
struct JobRoutes {
    let store: any JobStore
    let wake: @Sendable () -> Void

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.get("jobs", use: list)
        v1.get("jobs/:id", use: show)
        v1.post("jobs/:id/retry", use: retry)
    }

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let query = try request.query("export", "state", "role", "limit")
        let filter = JobFilter(
            tenant: caller.sees, export: try query.exportID("export"), state: try query.choice("state", JobState.self),
            role: try query.choice("role", WorkerRole.self), limit: try query.limit())
        return try .json(Listing(try await store.jobs(filter), at: Date()))
    }

    @Sendable private func show(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        return try .json(try await find(context, caller))
    }

    @Sendable private func retry(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let found = try await find(context, caller)
        try await store.retry(found.job.id)
        wake()
        return try .json(try await find(context, caller))
    }

    private func find(_ context: FarmRequestContext, _ caller: Caller) async throws -> JobDetail {
        let id = try context.number("job")
        guard let found = try await store.job(id, tenant: caller.sees) else {
            throw RequestFault(.notFound, "there is no job \(id)")
        }
        return JobDetail(found.job, attempts: found.attempts)
    }
}
