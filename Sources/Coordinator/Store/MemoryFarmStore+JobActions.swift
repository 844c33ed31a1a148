package import FarmAPI
import ExportPlan
package import JobQueue
package import FoundationEssentials

/// Performs what `JobLifecycle` says, in memory. What a finished job means for other jobs is in
/// `MemoryFarmStore+Settling.swift`.
extension MemoryFarmStore {
    package func apply(_ reports: [JobReport], at now: Date, jitter: Double) -> JobEffects {
        apply(reports.flatMap(\.events).map { ($0.id.job, .reported($0)) }, at: now, jitter: jitter)
    }

    package func expireLeases(_ attempts: [AttemptID], at now: Date, jitter: Double) -> JobEffects {
        apply(attempts.map { ($0.job, .leaseExpired(attempt: $0.attempt)) }, at: now, jitter: jitter)
    }

    private func apply(_ events: [(job: Int64, event: JobLifecycle.Event)], at now: Date, jitter: Double) -> JobEffects {
        var effects = JobEffects()
        changes = ScheduleChanges()
        for (index, item) in events.enumerated() {
            guard let place = place(ofJob: item.job) else { continue }
            effects.merge(advance(job: place, item.event, at: now, jitter: RetryPolicy.jitter(jitter, at: index)))
        }
        effects.changes = changes
        return effects
    }

    /// Applies an event to a job, and notes in `changes` what the scheduler has to know of it.
    @discardableResult
    func advance(job place: Int, _ event: JobLifecycle.Event, at now: Date, jitter: Double = 0) -> JobEffects {
        var effects = JobEffects()
        let before = jobRows[place].lifecycle.state
        let actions = jobRows[place].lifecycle.handle(event, at: now, jitter: jitter)
        let job = jobRows[place]
        changes.note(job.id, event, before, job.lifecycle, actions)
        if let end = AttemptEnd(event, job.lifecycle, actions) { effects.ends = [end] }
        if before != .ready, job.lifecycle.state == .ready { changes.becameReady(job.ready) }
        let time = now.addingTimeInterval(-event.secondsAgo)
        for action in actions { effects.merge(perform(action, on: place, at: time)) }
        return effects
    }

    private func perform(_ action: JobLifecycle.Action, on place: Int, at now: Date) -> JobEffects {
        var effects = JobEffects()
        let job = jobRows[place]
        switch action {
        case .recordState: jobRows[place].recordState(at: now)
        case .addAttempt(let number): jobRows[place].addAttempt(number, at: now)
        case .startAttempt(let number, let worker): jobRows[place].startAttempt(number, worker: worker, at: now)
        case .endAttempt(let number, let state, let worker, let failure, let cost):
            jobRows[place].endAttempt(number, state, worker: worker, failure: failure, cost: cost, at: now)
        case .cancelAttempts: effects.toCancel = jobRows[place].cancelAttempts(at: now)
        case .disownSuccess: jobRows[place].disownSuccess()
        case .keepLog(let number, let log): jobRows[place].attempts[number - 1].log = log
        case .logEvent(let kind, let message): log(kind, job.export, job: job.id, message, at: now)
        case .shareResult(let result): return share(job, result, at: now)
        case .remakeArtifacts(let keys): return remake(keys, for: job, at: now)
        case .forgetFacts(let location):
            for asset in assetRows.indices
            where assetRows[asset].tenant == job.tenant && assetRows[asset].location == location {
                assetRows[asset].facts = nil
            }
        case .forgetAsset(let hash):
            assetRows.removeAll { $0.tenant == job.tenant && $0.asset.hash == hash }
        case .recordProbeFault(let failure):
            guard let export = exportPlaces[job.export], let location = job.location else { break }
            exportRows[export].probeResults[location] = .fault(failure)
            noteDeadLetter(jobRows[place], failure, at: now)
        case .failExport(let failure):
            guard let export = exportPlaces[job.export] else { break }
            let why = ExportFailure(failure.failureClass, message: failure.description, job: job.id)
            let attempts = advance(export, .failed(why), at: now)
            effects.toCancel = attempts ?? []
            if attempts != nil {
                effects.endedExports[job.export] = .failed
                noteDeadLetter(jobRows[place], failure, at: now)
            }
        case .wakeLeader: effects.hasNews = true
        }
        return effects
    }

    private func remake(_ keys: [ArtifactKey], for job: JobRow, at now: Date) -> JobEffects {
        forget(keys, tenant: job.tenant)
        guard let export = exportPlaces[job.export] else { return JobEffects() }
        for maker in exportRows[export].jobs where keys.contains(jobRows[maker].new.key) {
            advance(job: maker, .artifactLost, at: now)
        }
        return settle(export, at: now)
    }
}
