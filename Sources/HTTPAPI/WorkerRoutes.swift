import Coordinator
import FarmAPI
import Hummingbird
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Workers that gave a sign of life of late, and what they render.
struct WorkerRoutes {
    let store: any JobStore
    let queue: any CoordinatorQueue

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.get("workers", use: list)
        v1.get("workers/:id", use: show)
    }

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        _ = try request.query()
        let now = Date()
        let workers = try await queue.workers().sorted { $0.id < $1.id }
        return try .json(Listing(try await reports(of: workers, to: caller, at: now), at: now))
    }

    @Sendable private func show(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let text = try context.parameters.require("id")
        let id = text.percentDecoded ?? text
        let workers = try await queue.workers().filter { $0.id == id }
        guard let report = try await reports(of: workers, to: caller, at: Date()).first else {
            throw RequestFault(.notFound, "no worker '\(id)' has given a sign of life of late")
        }
        return try .json(report)
    }

    /// A tenant sees its own jobs only; of the others just that a slot is busy.
    private func reports(of workers: [WorkerStatus], to caller: Caller, at now: Date) async throws -> [WorkerReport] {
        let exports = try await store.exports(ofJobs: workers.flatMap(\.running).map(\.job), tenant: caller.sees)
        return workers.map { worker in
            let shown = worker.running.filter { caller.isOperator || exports[$0.job] != nil }
            return WorkerReport(
                worker, running: shown.map { WorkerReport.Running($0, export: exports[$0.job], at: now) })
        }
    }
}
