package import FarmAPI
import ExportPlan
package import JobQueue
package import FoundationEssentials

/// The dispatch of ready jobs, in memory.
extension MemoryFarmStore {
    /// Within an export, probes come first, then the jobs with the greatest weight, then the smallest ordinals. A job
    /// whose artifact is being made already is left out and waits for that artifact. The caller deals with paused
    /// roles.
    package func candidates(role: WorkerRole, perExport: Int, at now: Date) -> [DispatchCandidate] {
        let taken = keysInFlight()
        var found: [DispatchCandidate] = []
        for row in exportRows {
            let due = row.jobs.map { jobRows[$0] }.filter { job in
                job.lifecycle.state == .ready && job.role == role && job.lifecycle.notBefore <= now
                    && !taken.contains(job.tenantKey)
            }
            let first = due.sorted { $0.rank < $1.rank }.prefix(perExport)
            found += first.map { candidate($0, exportNumber: row.export.number) }
        }
        return found
    }

    func candidate(_ job: JobRow, exportNumber: Int64) -> DispatchCandidate {
        DispatchCandidate(
            job: job.id, kind: job.new.kind, tenant: job.tenant, export: job.export, exportNumber: exportNumber,
            ordinal: job.new.ordinal, key: job.new.key, pool: job.pool, priority: job.priority, weight: job.new.weight,
            readySince: job.readyAt ?? job.createdAt, excludedWorkers: job.lifecycle.excludedWorkers)
    }

    package func loads() -> (tenants: [Int64: TenantLoad], exports: [ExportID: Double]) {
        var tenants = Dictionary(
            uniqueKeysWithValues: tenantRows.map { ($0.id, TenantLoad(share: $0.weight, inFlight: 0)) })
        var exports: [ExportID: Double] = [:]
        for job in jobRows where job.lifecycle.state.isInFlight {
            tenants[job.tenant]?.inFlight += job.new.weight
            exports[job.export, default: 0] += job.new.weight
        }
        return (tenants, exports)
    }

    /// Dispatches only one of several jobs for the same artifact. A job that is no longer ready stays unchanged.
    package func dispatch(_ jobs: [Int64], at now: Date) -> [JobTicket] {
        var taken = keysInFlight()
        var tickets: [JobTicket] = []
        for place in jobs.compactMap({ place(ofJob: $0) }) where !taken.contains(jobRows[place].tenantKey) {
            guard jobRows[place].lifecycle.state == .ready else { continue }
            advance(job: place, .dispatched, at: now)
            taken.insert(jobRows[place].tenantKey)
            tickets.append(ticket(jobRows[place]))
        }
        return tickets
    }

    private func ticket(_ job: JobRow) -> JobTicket {
        let probeResults = exportPlaces[job.export].map { exportRows[$0].probeResults } ?? [:]
        var byHash: [String: SourceReference] = [:]
        // The same bytes may have several locations. The first in order is taken, so that a ticket does not depend on
        // chance.
        for (location, probeResult) in probeResults.sorted(by: { $0.key > $1.key }) {
            if case .facts(let facts) = probeResult { byHash[facts.contentHash] = SourceReference(facts: facts, path: location) }
        }
        return JobTicket(
            job: job.id, attempt: job.lifecycle.attempt, kind: job.new.kind, tenant: job.tenant, pool: job.pool, key: job.new.key,
            frameCount: job.new.frameCount, work: job.new.work.with(sourcesAmong: byHash))
    }

    package func inFlight() -> [(id: AttemptID, dispatchedAt: Date)] {
        jobRows.filter(\.lifecycle.state.isInFlight).map {
            (AttemptID(job: $0.id, attempt: $0.lifecycle.attempt), $0.dispatchedAt ?? $0.createdAt)
        }
    }

    package func laneLoads() -> [JobLane: LaneLoad] {
        jobRows.reduce(into: [:]) { loads, job in
            guard job.lifecycle.state.isInFlight else { return }
            let lane = JobLane(job.role, pool: job.pool)
            loads[lane, default: LaneLoad()].jobs += 1
            if JobWeight.isLong(job.new.kind, job.new.weight) { loads[lane, default: LaneLoad()].long += 1 }
        }
    }

    package func runningJobs() -> [String: Int] {
        jobRows.reduce(into: [:]) { counts, job in
            guard job.lifecycle.state == .running, let worker = job.lifecycle.worker else { return }
            counts[worker, default: 0] += 1
        }
    }

    package func readyRoles() -> Set<WorkerRole> { Set(jobRows.filter { $0.lifecycle.state == .ready }.map(\.role)) }
}
