package import FarmAPI
import ExportPlan
package import JobQueue
package import Scheduling
package import FoundationEssentials

/// The dispatch of ready jobs, in memory.
extension MemoryFarmStore {
    package func openExports(after number: Int64, limit: Int) -> [QueuedExport] {
        Array(exportRows.lazy.filter { $0.export.number > number && $0.isOpen }.prefix(limit).map(\.queued))
    }

    package func openExports(among exports: Set<ExportID>) -> [QueuedExport] {
        exportRows.filter { exports.contains($0.export.id) && $0.isOpen }.map(\.queued)
    }

    package func activeJobs(of exports: [ExportID]) -> [ActiveJob] {
        let places = exports.compactMap { exportPlaces[$0] }.flatMap { exportRows[$0].jobs }.sorted()
        return places.map { jobRows[$0] }.compactMap { job -> ActiveJob? in
            let isInFlight = job.lifecycle.state.isInFlight
            guard isInFlight || job.lifecycle.state == .ready else { return nil }
            return ActiveJob(job.ready, isInFlight: isInFlight, worker: isInFlight ? job.lifecycle.worker : nil)
        }
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
            if case .facts(let facts) = probeResult {
                byHash[facts.contentHash] = SourceReference(facts: facts, stored: location)
            }
        }
        var ticket = JobTicket(
            job: job.id, attempt: job.lifecycle.attempt, kind: job.new.kind, tenant: job.tenant, pool: job.pool, key: job.new.key,
            frameCount: job.new.frameCount, work: job.new.work.with(sourcesAmong: byHash),
            demand: job.lifecycle.demand(of: job.new.demand))
        ticket.remote = remoteAccess(of: job)
        ticket.export = job.export
        return ticket
    }

    private func remoteAccess(of job: JobRow) -> RemoteAccess? {
        let locations = job.new.work.remoteLocations
        guard !locations.isEmpty, let tenant = tenantRows.first(where: { $0.id == job.tenant }) else { return nil }
        var known: [String: FetchedSource] = [:]
        for location in locations {
            let source = fetchedSources["\(job.tenant) \(location)"]
            let isThere = assetRows.contains { $0.tenant == job.tenant && $0.asset.hash == source?.contentHash }
            if isThere { known[location] = source }
        }
        return RemoteAccess(
            tenant: tenant.name,
            addresses: Tenant.usesAllAddresses(tenant.sourceAddresses) ? nil : tenant.sourceAddresses, known: known)
    }

    package func copy(_ attempt: AttemptID, at now: Date) -> JobTicket? {
        guard let place = place(ofJob: attempt.job), jobRows[place].lifecycle.attempt == attempt.attempt else { return nil }
        advance(job: place, .copied, at: now)
        return jobRows[place].lifecycle.attempt > attempt.attempt ? ticket(jobRows[place]) : nil
    }

    package func inFlight() -> [(id: AttemptID, dispatchedAt: Date)] {
        jobRows.filter(\.lifecycle.state.isInFlight).flatMap { job in
            job.attempts.filter { job.lifecycle.isUnderWay($0.number) }.map {
                (AttemptID(job: job.id, attempt: $0.number), $0.dispatchedAt)
            }
        }
    }
}

extension ExportRow {
    /// Whether the export may have jobs that are ready or in flight.
    var isOpen: Bool { export.state == .probing || export.state == .rendering }

    fileprivate var queued: QueuedExport {
        QueuedExport(
            id: export.id, tenant: export.tenant, pool: export.pool, number: export.number, priority: export.priority,
            since: export.createdAt)
    }
}
