package import FarmAPI
package import Scheduling
package import FoundationEssentials

/// The ready jobs that are looked at.
package struct NextJobsFilter: Hashable, Sendable {
    /// nil for all.
    package var role: WorkerRole?
    package var pool: String?
    package var tenant: Int64?
    /// At most so many jobs are listed.
    package var limit: Int

    package init(role: WorkerRole? = nil, pool: String? = nil, tenant: Int64? = nil, limit: Int = QueuedJob.limit) {
        self.role = role
        self.pool = pool
        self.tenant = tenant
        self.limit = limit
    }
}

/// A job that may be among those that are sent next, or that is in flight and takes part in deciding which these are.
package struct NextJobsCandidate: Hashable, Sendable {
    package var active: ActiveJob
    package var export: QueuedExport
    package var label: String
    package var readySince: Date

    package init(_ active: ActiveJob, of export: QueuedExport, label: String, readySince: Date) {
        self.active = active
        self.export = export
        self.label = label
        self.readySince = readySince
    }
}

/// Says which jobs are sent next, in order.
///
/// The leader alone knows what each tenant has used of the farm before, and any coordinator answers. A scheduler is
/// therefore built from what the database holds, as a coordinator does that begins to lead: urgent exports go first, the
/// exports of one tenant and the jobs of one export are in the leader's own order, and tenants take turns by their shares,
/// beginning with what they have in flight. It sends the jobs to workers that do not exist and have slots enough, so the
/// order does not say whether a slot is free, and pauses do not count.
package struct NextJobs: Sendable {
    private let store: any FarmStore

    package init(store: any FarmStore) { self.store = store }

    package func list(_ filter: NextJobsFilter, at now: Date = Date()) async throws -> [QueuedJob] {
        let candidates = try await store.nextJobsCandidates(filter, at: now)
        guard candidates.contains(where: { !$0.active.isInFlight }) else { return [] }
        return NextJobs.order(candidates, tenants: try await store.tenants(), limit: filter.limit, at: now)
    }

    /// - Parameter candidates: the jobs in flight, and the first ready jobs of each tenant.
    package static func order(
        _ candidates: [NextJobsCandidate], tenants: [Tenant], limit: Int, at now: Date
    ) -> [QueuedJob] {
        var scheduler = Scheduler(at: now)
        let owners = Dictionary(tenants.map { ($0.id, $0) }) { first, _ in first }
        for tenant in tenants {
            scheduler.handle(.tenant(tenant.id, share: tenant.weight, priorityCap: tenant.priorityCap))
        }
        for worker in workers(for: candidates, at: now) { scheduler.handle(.worker(worker)) }
        for export in Set(candidates.map(\.export)).sorted(by: { $0.number < $1.number }) { scheduler.handle(.export(export)) }
        let inFlight = candidates.filter(\.active.isInFlight), ready = candidates.filter { !$0.active.isInFlight }
        for candidate in inFlight { scheduler.handle(.inFlight(anywhere(candidate.active.job), worker: nil)) }
        for candidate in ready { scheduler.handle(.ready(anywhere(candidate.active.job))) }
        let jobs = Dictionary(ready.map { ($0.active.job.id, $0) }) { first, _ in first }
        let first = scheduler.dispatch(at: now).dispatches.prefix(limit).compactMap { jobs[$0.job] }
        return first.enumerated().map { offset, candidate in
            let (job, export) = (candidate.active.job, candidate.export)
            let owner = owners[export.tenant]
            return QueuedJob(
                place: offset + 1, job: job.id, kind: job.kind, ordinal: job.ordinal, pool: export.pool, export: export.id,
                label: candidate.label, tenant: export.tenant, tenantName: owner?.name ?? "\(export.tenant)",
                priority: export.priority, isUrgent: owner.map { export.priority > $0.priorityCap } ?? false,
                predicted: job.predicted, readySince: candidate.readySince)
        }
    }

    /// The job as one that any worker may take on one slot, now.
    private static func anywhere(_ job: ReadyJob) -> ReadyJob {
        ReadyJob(
            id: job.id, export: job.export, kind: job.kind, ordinal: job.ordinal, key: job.key, predicted: job.predicted)
    }

    /// Workers with more slots than there are candidates, also where a part of the slots is kept for short jobs.
    private static func workers(for candidates: [NextJobsCandidate], at now: Date) -> [WorkerStatus] {
        let slots = candidates.count * 2 + 8
        let pools = Set(candidates.map(\.export.pool)).sorted()
        return (0...(slots / Scheduler.mostSlots)).map { number in
            var worker = WorkerStatus(
                id: "\(number)", host: "", version: "", roles: WorkerRole.allCases, pools: pools,
                slots: min(slots, Scheduler.mostSlots), startedAt: now, seenAt: now, isDraining: false, running: [])
            worker.readsExpress = true
            return worker
        }
    }
}
