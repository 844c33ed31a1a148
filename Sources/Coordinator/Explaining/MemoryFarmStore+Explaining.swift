package import FarmAPI
import ExportPlan
import Scheduling
import FoundationEssentials

extension MemoryFarmStore: ExplanationStore {
    package func rivals(of job: Job) -> JobRivals {
        guard let place = exportPlaces[job.export] else { return JobRivals() }
        let export = exportRows[place].export
        func order(_ export: Export) -> (Int, Int64) {
            (Scheduler.minute(export.createdAt) - export.priority, export.number)
        }
        let others = exportRows.filter { row in
            row.isOpen && row.export.id != export.id && row.export.pool == job.pool
                && row.jobs.contains { jobRows[$0].role == job.kind.role && jobRows[$0].lifecycle.state == .ready }
        }.map(\.export)
        var rivals = JobRivals()
        rivals.earlier = Array(
            others.filter { $0.tenant == job.tenant && order($0) < order(export) }.sorted { order($0) < order($1) }.map(\.id)
                .prefix(JobRivals.limit))
        rivals.otherTenants = Set(others.map(\.tenant)).subtracting([job.tenant]).count
        rivals.urgentExports = others.count { other in
            tenantRows.contains { $0.id == other.tenant && other.priority > $0.priorityCap }
        }
        let maker = jobRows.first {
            $0.id != job.id && $0.tenant == job.tenant && $0.new.key == job.key && $0.lifecycle.state.isInFlight
        }
        rivals.maker = maker?.id
        rivals.makerWorker = maker?.lifecycle.worker
        for row in exportRows[place].jobs.map({ jobRows[$0] }) where row.new.kind == job.kind {
            for attempt in row.attempts where attempt.failure?.failureClass == .environment {
                if let worker = attempt.worker { rivals.lacking[worker] = attempt.failure }
            }
        }
        return rivals
    }

    package func compileRivals(of export: Export) -> CompileRivals {
        let quota = tenantRows.first { $0.id == export.tenant }?.maxOpenJobs
        let own = exportRows.filter { $0.export.tenant == export.tenant && !$0.isRemoved }
        var rivals = CompileRivals()
        rivals.earlier = own.count { row in
            row.export.state == .submitted
                && (-row.export.priority, row.export.number) < (-export.priority, export.number)
        }
        rivals.maxOpenJobs = quota
        rivals.openJobs = quota.map { quota in
            min(quota, own.filter(\.isOpen).flatMap(\.jobs).count { !jobRows[$0].lifecycle.state.isTerminal })
        }
        return rivals
    }
}
