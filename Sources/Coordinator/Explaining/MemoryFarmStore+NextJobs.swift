import FarmAPI
import ExportPlan
import Scheduling
package import FoundationEssentials

extension MemoryFarmStore {
    /// It leaves no ready job out that the filter does not, because only tests have a farm in memory.
    package func nextJobsCandidates(_ filter: NextJobsFilter, at now: Date) -> [NextJobsCandidate] {
        let open = exportRows.filter { row in
            row.isOpen && (filter.pool.map { $0 == row.export.pool } ?? true)
                && (filter.tenant.map { $0 == row.export.tenant } ?? true)
        }
        return open.flatMap { row -> [NextJobsCandidate] in
            let export = QueuedExport(
                id: row.export.id, tenant: row.export.tenant, pool: row.export.pool, number: row.export.number,
                priority: row.export.priority, since: row.export.createdAt)
            return row.jobs.map { jobRows[$0] }.compactMap { job in
                let isInFlight = job.lifecycle.state.isInFlight
                let isDue =
                    job.lifecycle.state == .ready && job.lifecycle.notBefore <= now
                    && (filter.role.map { $0 == job.role } ?? true)
                guard isInFlight || isDue else { return nil }
                return NextJobsCandidate(
                    ActiveJob(job.ready, isInFlight: isInFlight, worker: isInFlight ? job.lifecycle.worker : nil), of: export,
                    label: row.export.label, readySince: job.readyAt ?? job.createdAt)
            }
        }
    }
}
