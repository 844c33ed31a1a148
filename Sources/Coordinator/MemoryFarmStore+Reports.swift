import ExportPlan
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What workers say of jobs, and what follows for the job itself, in memory. What follows for others is in
/// `MemoryFarmStore+Settling.swift`.
extension MemoryFarmStore {
    /// Reports may come late, twice, or of jobs nobody knows: those change nothing. One exception: a success of a job that was
    /// cancelled. Its artifact is there all the same, and whoever else waits for it has it.
    public func apply(_ report: JobReport, at now: Date, luck: Double) -> JobEffects {
        guard let place = place(ofJob: report.id.job), jobRows[place].attempts.count >= report.id.attempt, report.id.attempt > 0
        else { return JobEffects() }
        if !report.log.isEmpty { jobRows[place].attempts[report.id.attempt - 1].log = report.log }
        let verdict = jobRows[place].lifecycle.apply(
            report.outcome, attempt: report.id.attempt, worker: report.worker, at: now, luck: luck)
        switch (verdict, report.outcome) {
        case (.noted, _):
            begin(place, report, at: now)
            return JobEffects()
        case (.done, .finished(let result, let reused)):
            return succeed(place, report, result, reused: reused, at: now)
        case (.retried, .failed(let failure)):
            let export = jobRows[place].export
            jobRows[place].endAttempt(report.id.attempt, .failed, worker: report.worker, failure: failure, at: now)
            log(.jobRetried, export, job: report.id.job, failure.description, at: now)
            return tryAgain(place, missing: failure.missingArtifacts ?? [], at: now)
        case (.retried, .returned):
            jobRows[place].endAttempt(report.id.attempt, .returned, worker: report.worker, at: now)
            return tryAgain(place, missing: [], at: now)
        case (.retried, _):
            jobRows[place].endAttempt(report.id.attempt, .cancelled, worker: report.worker, at: now)
            log(.jobRetried, jobRows[place].export, job: report.id.job, "worker '\(report.worker)' stopped it", at: now)
            return tryAgain(place, missing: [], at: now)
        case (.failed(let failure), _):
            jobRows[place].endAttempt(report.id.attempt, .failed, worker: report.worker, failure: failure, at: now)
            return giveUp(place, failure, at: now)
        case (.ignored, .finished(let result, _)) where jobRows[place].lifecycle.state == .cancelled:
            return share(jobRows[place], result, at: now)
        case (.ignored, _), (.done, _):
            return JobEffects()
        }
    }

    /// A silent worker's failure counts as `transient`.
    public func lose(_ attempts: [AttemptID], at now: Date, luck: Double) -> JobEffects {
        var effects = JobEffects()
        for lost in attempts {
            guard let place = place(ofJob: lost.job) else { continue }
            let verdict = jobRows[place].lifecycle.lose(attempt: lost.attempt, at: now, luck: luck)
            guard verdict != .ignored else { continue }
            let worker = jobRows[place].attempts.last?.worker.map { "worker '\($0)'" } ?? "the worker that took it"
            jobRows[place].endAttempt(lost.attempt, .lost, at: now)
            log(.jobLost, jobRows[place].export, job: lost.job, "\(worker) fell silent", at: now)
            if case .failed(let failure) = verdict {
                effects.merge(giveUp(place, failure, at: now))
            } else {
                effects.merge(tryAgain(place, missing: [], at: now))
            }
        }
        return effects
    }

    private func begin(_ place: Int, _ report: JobReport, at now: Date) {
        let attempt = report.id.attempt - 1
        jobRows[place].attempts[attempt].state = .running
        jobRows[place].attempts[attempt].worker = report.worker
        jobRows[place].attempts[attempt].startedAt = jobRows[place].attempts[attempt].startedAt ?? now
        jobRows[place].startedAt = jobRows[place].startedAt ?? now
    }

    /// The job is done, by whichever attempt. A newer attempt that is under way is called off: a job has one winner.
    private func succeed(_ place: Int, _ report: JobReport, _ result: JobResult, reused: Bool, at now: Date) -> JobEffects {
        jobRows[place].endAttempt(report.id.attempt, .succeeded, worker: report.worker, cost: result.cost, at: now)
        jobRows[place].reused = reused
        jobRows[place].finishedAt = now
        var effects = JobEffects()
        effects.hasNews = true
        effects.toCancel = jobRows[place].cancelAttempts(at: now)
        effects.merge(share(jobRows[place], result, at: now))
        return effects
    }

    /// The job is ready again. Artifacts that it found missing are forgotten and made again first, in this export; others that
    /// have them notice when they need them.
    private func tryAgain(_ place: Int, missing: [ArtifactKey], at now: Date) -> JobEffects {
        var effects = JobEffects()
        effects.hasNews = true
        jobRows[place].becomeReady(at: now)
        guard !missing.isEmpty, let export = exportPlaces[jobRows[place].export] else { return effects }
        forget(missing, tenant: jobRows[place].tenant)
        let gone = Set(missing)
        for job in exportRows[export].jobs where gone.contains(jobRows[job].new.key) && jobRows[job].lifecycle.state == .done {
            // The attempt that made it has not won any more: the next one may.
            for winner in jobRows[job].attempts where winner.state == .succeeded {
                jobRows[job].endAttempt(winner.number, .lost, cost: winner.cost, at: now)
            }
            jobRows[job].lifecycle.notBefore = now
            jobRows[job].becomeReady(at: now)
        }
        jobRows[place].becomeWaiting()
        effects.merge(settle(export, at: now))
        return effects
    }

    /// The job has failed for good. What was known of a source that has changed since is forgotten, and so is an asset whose stored bytes are
    /// damaged: a client that asks for it hears that it has to be uploaded. A source that cannot be looked at is a finding, which the compiler
    /// reports together with all others; everything else is the end of the export.
    private func giveUp(_ place: Int, _ failure: JobFailure, at now: Date) -> JobEffects {
        jobRows[place].finishedAt = now
        let job = jobRows[place]
        var effects = JobEffects()
        log(.jobFailed, job.export, job: job.id, failure.description, at: now)
        for place in assetRows.indices
        where assetRows[place].tenant == job.tenant && assetRows[place].location == failure.changedSource {
            assetRows[place].facts = nil
        }
        if let hash = failure.damagedAsset {
            assetRows.removeAll { $0.tenant == job.tenant && $0.asset.hash == hash }
        }
        guard let export = exportPlaces[job.export] else { return effects }
        if let location = job.location, failure.failureClass == .input || failure.failureClass == .crash {
            exportRows[export].findings[location] = .fault(failure)
            effects.hasNews = canBeCompiled(export)
        } else {
            let why = ExportFailure(failure.failureClass, message: failure.description, job: job.id)
            effects.toCancel = fail(export, why, at: now)
            // Artifacts that its jobs were to make are free for other exports to make.
            effects.hasNews = true
        }
        return effects
    }
}
