import FarmAPI
import ExportPlan
import Scheduling
import FoundationEssentials

/// Facts about jobs, lanes and workers that the order of choice is made of, and the slot that is kept.
extension ReferenceScheduler {
    func isUrgent(_ job: ReadyJob) -> Bool {
        guard let export = exports[job.export] else { return false }
        return export.priority > tenants[export.tenant, default: Tenant()].cap
    }

    func takesJobs(_ worker: WorkerStatus) -> Bool { !worker.isDraining && worker.pausedFor == nil }

    func serves(_ worker: WorkerStatus, _ lane: Lane) -> Bool {
        worker.roles.contains(lane.role) && worker.pools.contains(lane.pool)
    }

    func slots(where condition: (WorkerStatus) -> Bool) -> Int {
        workers.values.filter { takesJobs($0) && condition($0) }.reduce(0) { $0 + $1.slots }
    }

    func isServed(_ lane: Lane) -> Bool { slots { serves($0, lane) } > 0 }

    func isOpen(_ lane: Lane) -> Bool { isServed(lane) && !pausedRoles.contains(lane.role) }

    func tenant(_ job: ReadyJob) -> Int64 { exports[job.export]?.tenant ?? 0 }

    func lane(_ job: ReadyJob) -> Lane { Lane(role: job.kind.role, pool: exports[job.export]?.pool ?? "") }

    func account(_ job: ReadyJob) -> Account { Account(tenant: tenant(job), pool: exports[job.export]?.pool ?? "") }

    func share(_ job: ReadyJob) -> Double { Double(tenants[tenant(job), default: Tenant()].share) }

    func seconds(_ job: ReadyJob) -> Double { (job.predicted * 1e6).rounded() / 1e6 }

    func isLong(_ job: ReadyJob) -> Bool { JobWeight.isLong(job.kind, seconds(job)) }

    /// The slot of a tenant's only job, a probe, is kept for 0.2 s from the next dispatch on, where the farm has at most four.
    mutating func keepSlot(of probe: ReadyJob) {
        guard kept == nil, slots(where: { _ in true }) < 5, isServed(lane(probe)), !removed.contains(probe.export),
            !flying.values.contains(where: { account($0.job) == account(probe) }), competitors()[account(probe)] == nil
        else { return }
        kept = (account(probe), lane(probe), nil)
    }
}
