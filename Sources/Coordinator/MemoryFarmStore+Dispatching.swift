import ExportPlan
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Ready jobs on their way to the workers, in memory.
extension MemoryFarmStore {
    /// Probes come first, then the order of the film. A job whose artifact is being made already waits for that one. Pauses
    /// are the caller's business.
    public func candidates(role: WorkerRole, perExport: Int, at now: Date) -> [DispatchCandidate] {
        let taken = keysInFlight()
        var found: [DispatchCandidate] = []
        for row in exportRows {
            let due = row.jobs.map { jobRows[$0] }.filter { job in
                job.lifecycle.state == .ready && job.role == role && job.lifecycle.notBefore <= now
                    && !taken.contains(job.tenantKey)
            }
            let first = due.sorted { $0.place < $1.place }.prefix(perExport)
            found += first.map { candidate($0, exportNumber: row.export.number) }
        }
        return found
    }

    private func candidate(_ job: JobRow, exportNumber: Int64) -> DispatchCandidate {
        DispatchCandidate(
            job: job.id, kind: job.new.kind, tenant: job.tenant, export: job.export, exportNumber: exportNumber,
            ordinal: job.new.ordinal, key: job.new.key, pool: job.pool, priority: job.priority, weight: job.new.weight,
            readySince: job.readyAt ?? job.createdAt, shunned: job.lifecycle.shunned)
    }

    public func loads() -> (tenants: [Int64: TenantLoad], exports: [ExportID: Double]) {
        var tenants = Dictionary(
            uniqueKeysWithValues: tenantRows.map { ($0.id, TenantLoad(share: $0.weight, inFlight: 0)) })
        var exports: [ExportID: Double] = [:]
        for job in jobRows where job.lifecycle.state.isInFlight {
            tenants[job.tenant]?.inFlight += job.new.weight
            exports[job.export, default: 0] += job.new.weight
        }
        return (tenants, exports)
    }

    /// Of jobs for the same artifact only one goes; a job that is not ready any more stays what it is.
    public func dispatch(_ jobs: [Int64], at now: Date) -> [JobTicket] {
        var taken = keysInFlight()
        var tickets: [JobTicket] = []
        for place in jobs.compactMap({ place(ofJob: $0) }) where !taken.contains(jobRows[place].tenantKey) {
            guard let attempt = jobRows[place].lifecycle.dispatch() else { continue }
            taken.insert(jobRows[place].tenantKey)
            jobRows[place].dispatchedAt = now
            jobRows[place].startedAt = nil
            jobRows[place].attempts.append(
                JobAttempt(
                    number: attempt, state: .dispatched, worker: nil, failure: nil, cost: nil, dispatchedAt: now, startedAt: nil,
                    finishedAt: nil))
            tickets.append(ticket(jobRows[place], attempt: attempt))
        }
        return tickets
    }

    private func ticket(_ job: JobRow, attempt: Int) -> JobTicket {
        let findings = exportPlaces[job.export].map { exportRows[$0].findings } ?? [:]
        var byHash: [String: SourceReference] = [:]
        // The same bytes may have several locations: the first in order, so that a ticket does not depend on chance.
        for (location, finding) in findings.sorted(by: { $0.key > $1.key }) {
            if case .facts(let facts) = finding { byHash[facts.contentHash] = SourceReference(facts: facts, path: location) }
        }
        return JobTicket(
            job: job.id, attempt: attempt, kind: job.new.kind, tenant: job.tenant, pool: job.pool, key: job.new.key,
            frameCount: job.new.frameCount, shunned: job.lifecycle.shunned, work: job.new.work.with(sourcesAmong: byHash))
    }

    public func inFlight() -> [(id: AttemptID, dispatchedAt: Date)] {
        jobRows.filter(\.lifecycle.state.isInFlight).map {
            (AttemptID(job: $0.id, attempt: $0.lifecycle.attempt), $0.dispatchedAt ?? $0.createdAt)
        }
    }

    public func laneLoads() -> [JobLane: LaneLoad] {
        jobRows.reduce(into: [:]) { loads, job in
            guard job.lifecycle.state.isInFlight else { return }
            let lane = JobLane(job.role, pool: job.pool)
            loads[lane, default: LaneLoad()].jobs += 1
            if JobWeight.isLong(job.new.kind, job.new.weight) { loads[lane, default: LaneLoad()].long += 1 }
        }
    }

    public func readyRoles() -> Set<WorkerRole> { Set(jobRows.filter { $0.lifecycle.state == .ready }.map(\.role)) }
}
