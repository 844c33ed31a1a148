import Coordinator
import FarmAPI
import Hummingbird
import JobQueue
import Logging
import FoundationEssentials

/// Lists workers with a recent heartbeat and what they render, drains them, and takes that back.
struct WorkerRoutes {
    let store: any JobStore
    let queue: any CoordinatorQueue
    let workers: CachedLook<[WorkerStatus]>

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/workers", "listWorkers",
                "Lists the workers with a recent heartbeat. A tenant sees its own jobs only; of other slots it sees that they are "
                    + "busy.",
                scopes: [.read], query: QueryParameter.page, answers: [.json(Listing<WorkerReport>.self, "a listing of workers")],
                faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/workers/:id", "getWorker", "Shows a worker and the jobs in its slots.", scopes: [.read],
                parameters: [.worker],
                answers: [.json(WorkerReport.self, "the worker")], faults: [.notFound]), use: show)
        router.add(
            RouteDescription(
                .post, "/v1/workers/:id/drain", "drainWorker",
                "Asks a worker to drain, as SIGTERM does: it takes no new jobs, ends those that run or gives them back, and ends. "
                    + "It learns so with its next heartbeat, within about a second, and is no longer listed when it has ended.",
                scopes: [.admin], parameters: [.worker],
                answers: [.json(WorkerReport.self, "the worker, as it was", status: 202)], faults: [.notFound]), use: drain)
        router.add(
            RouteDescription(
                .post, "/v1/workers/:id/resume", "resumeWorker",
                "Takes back a request to drain. The worker learns so with its next heartbeat, within about a second, and takes jobs "
                    + "again. It is too late once its last jobs have ended or are stopped; then it is no longer listed soon.",
                scopes: [.admin], parameters: [.worker],
                answers: [.json(WorkerReport.self, "the worker, as it was", status: 202)], faults: [.notFound, .conflict]),
            use: resume)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let now = Date()
        let workers = page.listing(whole: try await workers.value().sorted { $0.id < $1.id }, at: now, place: \.id)
        return try .json(Listing(try await reports(of: workers.items, to: caller, at: now), at: now, next: workers.next))
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        return try .json(try await report(of: find(context), to: caller))
    }

    @Sendable private func drain(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let worker = try await find(context)
        try await queue.drain(worker)
        context.logger.info("the worker is asked to drain", metadata: ["worker": "\(worker.id)"])
        return try .json(try await report(of: worker, to: caller), status: .accepted)
    }

    @Sendable private func resume(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let worker = try await find(context)
        guard !worker.isDraining || worker.canResume == true else {
            throw RequestFault(
                .conflict,
                "it is too late for worker '\(worker.id)' to take jobs again: it is ending, or was stopped on its own machine, or "
                    + "its version cannot; start it again when it has ended")
        }
        try await queue.resume(worker)
        context.logger.info("the request to drain is taken back", metadata: ["worker": "\(worker.id)"])
        return try .json(try await report(of: worker, to: caller), status: .accepted)
    }

    private func find(_ context: FarmRequestContext) async throws -> WorkerStatus {
        let text = try context.parameters.require("id")
        let id = text.percentDecoded ?? text
        guard let worker = try await workers.value().first(where: { $0.id == id }) else {
            throw RequestFault(.notFound, "no worker '\(id)' has sent a heartbeat recently")
        }
        return worker
    }

    private func report(of worker: WorkerStatus, to caller: Caller) async throws -> WorkerReport {
        try await reports(of: [worker], to: caller, at: Date())[0]
    }

    /// The jobs in the slots. A tenant sees its own jobs only; of other jobs it sees only that a slot is busy.
    private func reports(of workers: [WorkerStatus], to caller: Caller, at now: Date) async throws -> [WorkerReport] {
        let exports = try await store.exports(ofJobs: workers.flatMap(\.running).map(\.job), tenant: caller.visibleTenant)
        return workers.map { worker in
            let shown = worker.running.filter { caller.isOperator || exports[$0.job] != nil }
            return WorkerReport(
                worker, running: shown.map { WorkerReport.Running($0, export: exports[$0.job], at: now) })
        }
    }
}
