import Coordinator
import FarmAPI
import Hummingbird
import JobQueue
import FoundationEssentials

/// Lists workers with a recent heartbeat, and what they render.
struct WorkerRoutes {
    let store: any JobStore
    let queue: any CoordinatorQueue

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
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let now = Date()
        let workers = page.listing(whole: try await queue.workers().sorted { $0.id < $1.id }, at: now, place: \.id)
        return try .json(Listing(try await reports(of: workers.items, to: caller, at: now), at: now, next: workers.next))
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let text = try context.parameters.require("id")
        let id = text.percentDecoded ?? text
        let workers = try await queue.workers().filter { $0.id == id }
        guard let report = try await reports(of: workers, to: caller, at: Date()).first else {
            throw RequestFault(.notFound, "no worker '\(id)' has sent a heartbeat recently")
        }
        return try .json(report)
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
