import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Scheduling
import FoundationEssentials

/// The store in memory, as a coordinator sees it through a network and a database that fail: it is away, refuses
/// transactions, and commits transactions whose answers are lost. It refuses the writes of a coordinator that has lost
/// the lead, takes all times from the virtual clock, and the jitter from the seed.
struct FaultyStore: Sendable {
    let base: MemoryFarmStore
    let record: FarmRecord
    /// The epoch of the leader that uses it; nil for the API, whose writes are not fenced.
    let epoch: Int64?

    func read<Result: Sendable>(_ body: (MemoryFarmStore) async throws -> Result) async throws -> Result {
        try checkPresence()
        return try await body(base)
    }

    /// Runs a transaction.
    /// - Parameter before: is called when the transaction will happen.
    func write<Result: Sendable>(
        before: () async throws -> Void = {}, _ body: (MemoryFarmStore) async throws -> Result
    ) async throws -> Result {
        try checkPresence()
        if !record.isBroken(.ignoredFence) { try checkLead() }
        if record.takes(.refusedWrite) { throw FarmError(.unavailable, "the transaction was refused") }
        try await before()
        let result = try await body(base)
        record.with { state in
            state.isChanged = true
            if let epoch, epoch != state.epoch {
                state.violations.append("the leader of term \(epoch) wrote in term \(state.epoch)")
            }
        }
        if record.takes(.unansweredWrite) { throw FarmError(.unavailable, "the connection broke after the commit") }
        return result
    }

    private func checkPresence() throws {
        guard record.clock.now >= record.with(\.storeAwayUntil) else { throw FarmError(.unavailable, "the store is away") }
    }

    func checkLead() throws {
        guard let epoch, record.with(\.epoch) != epoch else { return }
        throw FarmError(.lostLead, "another coordinator leads")
    }

    /// Notes attempts that the store has ended, and whose workers have to be told.
    func noteStops(_ attempts: [AttemptID]) {
        let now = record.clock.now
        record.with { state in
            guard now >= state.queueAwayUntil else { return }
            for attempt in attempts { state.toStop[attempt] = now }
        }
    }

    /// Notes which failures the store is told of in time.
    func noteFailures(_ reports: [JobReport]) async {
        for report in reports {
            guard case .failed(let failure) = report.outcome, let job = await base.job(report.id.job, tenant: nil) else {
                continue
            }
            let isOfInputs = failure.missingArtifacts != nil
            record.with { state in
                for key in failure.missingArtifacts ?? [] { state.missed.insert(Artifact(tenant: job.job.tenant, key: key)) }
                guard job.attempts.contains(where: { $0.number == report.id.attempt && $0.finishedAt == nil }),
                    state.failed.insert(report.id).inserted
                else { return }
                state.failures[report.id.job, default: []].append(
                    AppliedFailure(
                        id: report.id, failureClass: failure.failureClass, isOfInputs: isOfInputs, worker: report.worker))
            }
        }
    }

    /// The reports as a store with a broken rule would understand them.
    private func misread(_ reports: [JobReport]) async -> [JobReport] {
        var changed: [JobReport] = []
        for var report in reports {
            switch (record.broken, report.outcome) {
            case (.unappliedReport, .finished) where report.id.job % 3 == 0: continue
            case (.unmadeArtifact, .failed(var failure)) where failure.missingArtifacts != nil:
                failure.missingArtifacts = nil
                report.outcome = .failed(failure: failure)
            case (.uncountedCrash, .failed(let failure)) where failure.failureClass == .crash: report.outcome = .returned
            case (.missingRetry, .failed(let failure)) where failure.failureClass == .transient && report.id.attempt > 1:
                report.outcome = .failed(failure: JobFailure(.input, subject: "", message: failure.message))
            case (.lateFailureCounts, .failed), (.lateFailureCounts, .returned):
                if let job = await base.job(report.id.job, tenant: nil) { report.id.attempt = max(1, job.job.attempt) }
            default: break
            }
            changed.append(report)
        }
        return changed
    }

    func apply(_ reports: [JobReport], at now: Date, jitter: Double) async throws -> JobEffects {
        let seeded = record.chance.unit(.jitter, reports.first?.id.job ?? 0, Int64(reports.first?.id.attempt ?? 0))
        var effects = try await write(before: { await noteFailures(reports) }) { base in
            let understood = record.broken == nil ? reports : await misread(reports)
            if record.isBroken(.countedOutage), reports.allSatisfy({ $0.worker == "nobody" }) {
                return await base.expireLeases(reports.map(\.id), at: record.clock.date, jitter: seeded)
            }
            return await base.apply(understood, at: record.clock.date, jitter: seeded)
        }
        noteStops(effects.toCancel)
        if record.isBroken(.forgottenReadyJob) { effects.changes = effects.changes.withoutSomeReadyJobs }
        return effects
    }

    func expireLeases(_ attempts: [AttemptID], at now: Date, jitter: Double) async throws -> JobEffects {
        let seeded = record.chance.unit(.jitter, attempts.first?.job ?? 0, 1)
        let effects = try await write { await $0.expireLeases(attempts, at: record.clock.date, jitter: seeded) }
        noteStops(effects.toCancel)
        return effects
    }

    func dispatch(_ jobs: [Int64], at now: Date) async throws -> [JobTicket] {
        try await write {
            let tickets = await $0.dispatch(jobs, at: record.clock.date)
            record.with { state in
                for ticket in tickets where !state.dispatched.insert(ticket.identity).inserted {
                    state.violations.append("\(ticket.identity.text) was dispatched twice")
                }
            }
            return tickets
        }
    }

    func copy(_ attempt: AttemptID, at now: Date) async throws -> JobTicket? {
        try await write {
            let ticket = await $0.copy(attempt, at: record.clock.date)
            guard let ticket else { return nil }
            record.with { state in
                state.dispatched.insert(ticket.identity)
                state.copies += 1
            }
            return ticket
        }
    }

    func cancel(_ id: ExportID) async throws -> [AttemptID]? {
        let stopped = try await write {
            let stopped = record.isBroken(.ignoredCancel) ? [] : await $0.cancel(id)
            if stopped != nil { record.with { _ = $0.cancelled.insert(id) } }
            return stopped
        }
        noteStops(stopped ?? [])
        return stopped
    }

    func fail(_ id: ExportID, _ failure: ExportFailure) async throws -> [AttemptID] {
        let stopped = try await write { await $0.fail(id, failure) }
        noteStops(stopped)
        return stopped
    }

    func retry(_ job: Int64) async throws {
        try await write {
            let export = await $0.exports(ofJobs: [job], tenant: nil)[job]
            try await $0.retry(job)
            if let export { record.with { _ = $0.retried.insert(export) } }
        }
    }

    func setPaused(_ role: WorkerRole, _ paused: Bool) async throws {
        let now = record.clock.now
        try await write {
            await $0.setPaused(role, paused)
            record.with { $0.pausedSince[role] = paused ? now : nil }
        }
    }
}

extension ScheduleChanges {
    /// The same changes, of which some ready jobs are lost.
    fileprivate var withoutSomeReadyJobs: ScheduleChanges {
        var changes = ScheduleChanges(exports: exports)
        for (job, worker) in started { changes.attemptStarted(job, worker: worker) }
        for (job, seconds) in ended { changes.attemptEnded(job, seconds: seconds) }
        for job in noLongerReady { changes.isNoLongerReady(job) }
        for job in ready.values where job.id % 5 != 0 { changes.becameReady(job) }
        return changes
    }
}

extension AttemptID {
    /// The attempt in messages.
    var text: String { "attempt \(attempt) of job \(job)" }
}
