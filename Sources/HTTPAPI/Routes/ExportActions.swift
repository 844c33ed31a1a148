import Coordinator
import FarmAPI
import Hummingbird
import JobQueue
import Logging
import Telemetry

/// What clients do to exports that exist, one at a time or many.
struct ExportActions {
    let service: FarmService

    private var store: any FarmStore { service.store }

    /// Cancels an export that has not ended.
    /// - Throws: `RequestFault` `notFound`, or `conflict` where it is over.
    func cancel(_ id: ExportID, _ caller: Caller, _ context: FarmRequestContext) async throws -> Export {
        let export = try await find(id, caller)
        guard try await stop(id, context) else {
            let now = try await store.export(id, tenant: caller.visibleTenant) ?? export
            throw RequestFault(.conflict, "the export is over already: it is \(now.state.rawValue)")
        }
        service.wake()
        return try await find(id, caller)
    }

    /// Cancels an export, whoever it belongs to. The caller wakes the leader.
    /// - Returns: false where it was over already.
    func stop(_ id: ExportID, _ context: FarmRequestContext) async throws -> Bool {
        guard let attempts = try await store.cancel(id) else { return false }
        do {
            try await service.queue.cancel(attempts)
        } catch {
            // The export is cancelled all the same: later reports of workers about it are ignored.
            context.logger.warning(
                "workers could not be told of a cancelled export",
                metadata: .ids(export: id).merging(["error": "\(error)"]) { $1 })
        }
        FarmMetric.endedExports.add(1, ExportState.cancelled.rawValue)
        context.logger.info("the export has been cancelled", metadata: .ids(export: id))
        return true
    }

    /// Lets a failed export go on with the jobs that failed.
    /// - Throws: `RequestFault` `notFound`, or `conflict` where the export has not failed, or no job of it has.
    func retry(_ id: ExportID, _ caller: Caller, _ context: FarmRequestContext) async throws -> Export {
        let export = try await find(id, caller)
        let failed = try await store.jobs(JobFilter(tenant: caller.visibleTenant, export: id, state: .failed, limit: 1))
        guard export.state == .failed, let job = failed.first else {
            let reason =
                export.state == .failed
                ? "no job of the export has failed: \(export.failure?.message ?? "its draft has errors"); rerun it"
                : "the export has not failed: it is \(export.state.rawValue)"
            throw RequestFault(.conflict, reason)
        }
        try await store.retry(job.id)
        service.wake()
        return try await find(id, caller)
    }

    private func find(_ id: ExportID, _ caller: Caller) async throws -> Export {
        guard let export = try await store.export(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
        return export
    }
}
