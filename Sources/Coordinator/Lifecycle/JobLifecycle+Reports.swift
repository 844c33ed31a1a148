import FarmAPI
import ExportPlan
import JobQueue
import FoundationEssentials

/// What follows from workers' reports, and from leases that expire.
extension JobLifecycle {
    /// How often a job may find artifacts of others gone before it fails. Retries do not repair a store that loses what
    /// was just written to it.
    static let missingArtifactLimit = 100

    /// The log of an attempt is kept also where the report itself changes nothing: the log of a late attempt is worth
    /// reading.
    mutating func handle(_ report: JobReport, at now: Date, jitter: Double) -> [Action] {
        let number = report.id.attempt
        guard number > 0, number <= attempt else { return [] }
        let log: [Action] = report.log.isEmpty ? [] : [.keepLog(number, report.log)]
        if case .finished(let result, let reused) = report.outcome {
            return log + finish(number, report.worker, result, reused: reused)
        }
        guard isUnderWay(number) else { return log }
        switch report.outcome {
        case .finished: return log  // handled above
        case .started:
            if copy != nil, number == attempt { return log + [.startAttempt(number, worker: report.worker)] }
            state = .running
            worker = report.worker
            return log + [.startAttempt(number, worker: report.worker), .recordState]
        case .failed(let failure):
            if copy == nil { worker = report.worker }
            return log + fail(number, failure, of: report.worker, at: now, jitter: jitter)
        case .returned:
            let ended: [Action] = [.endAttempt(number, .returned, worker: report.worker)]
            return log + ended + (end(number) ? [.recordState] : becomeReady(at: now))
        case .cancelled:
            // A cancelled job is cancelled in the store first, and then no attempt is under way. A worker that reports
            // a cancel for a job that is still open only returns the job.
            let ended: [Action] = [
                .endAttempt(number, .cancelled, worker: report.worker),
                .logEvent(.jobRetried, "worker '\(report.worker)' stopped the job"),
            ]
            return log + ended + (end(number) ? [.recordState] : becomeReady(at: now))
        }
    }

    /// An expired lease counts as a failure of class `transient`.
    mutating func expire(_ number: Int, at now: Date, jitter: Double) -> [Action] {
        guard isUnderWay(number) else { return [] }
        let worker = copy == nil ? self.worker : nil
        let lease = "the lease of " + (worker.map { "worker '\($0)'" } ?? "the worker that took the job") + " expired"
        let failure = JobFailure(.transient, subject: "", message: "\(lease) before the job was done")
        let ended: [Action] = [.endAttempt(number, .lost), .logEvent(.jobLost, lease)]
        switch count(failure, jitter: jitter) {
        case .retry(let pause):
            return ended + (end(number) ? [.recordState] : becomeReady(at: now.addingTimeInterval(pause)))
        case .failForGood(let failure): return ended + failForGood(failure)
        }
    }

    /// The job is done, whichever attempt succeeded. A newer attempt that is under way is cancelled, because a job has
    /// one winner. The artifact of a job that was cancelled exists all the same, so other jobs that wait for it get it.
    private mutating func finish(_ number: Int, _ reporter: String, _ result: JobResult, reused: Bool) -> [Action] {
        if state == .cancelled { return [.shareResult(result)] }
        guard !state.isTerminal else { return [] }
        state = .done
        copy = nil
        worker = reporter
        self.reused = reused
        return [
            .endAttempt(number, .succeeded, worker: reporter, cost: result.cost), .recordState, .cancelAttempts,
            .shareResult(result), .wakeLeader,
        ]
    }

    private mutating func fail(
        _ number: Int, _ failure: JobFailure, of reporter: String, at now: Date, jitter: Double
    ) -> [Action] {
        switch count(failure, jitter: jitter) {
        case .failForGood(let last):
            return [.endAttempt(number, .failed, worker: reporter, failure: last)] + failForGood(last)
        case .retry(let pause):
            let isOfWorker = failure.failureClass == .environment || failure.failureClass == .crash
            if isOfWorker, !excludedWorkers.contains(reporter) { excludedWorkers.append(reporter) }
            let ended: [Action] = [
                .endAttempt(number, .failed, worker: reporter, failure: failure),
                .logEvent(.jobRetried, failure.description),
            ]
            // Artifacts that are missing are missing for the other attempt, too, which says so itself.
            if end(number) { return ended + [.recordState] }
            return ended + becomeReady(at: now.addingTimeInterval(pause), missing: failure.missingArtifacts ?? [])
        }
    }

    /// What follows from a failure.
    private enum Consequence {
        /// A retry after a pause in seconds.
        case retry(pause: Double)
        /// The job fails for good, with this failure.
        case failForGood(JobFailure)
    }

    /// Counts a failure. Artifacts that the job needs and that are gone are made again; that is no failure of this job,
    /// so it does not count against the retry limits.
    private mutating func count(_ failure: JobFailure, jitter: Double) -> Consequence {
        if failure.failureClass == .transient, failure.missingArtifacts?.isEmpty == false {
            missedArtifacts += 1
            guard missedArtifacts > JobLifecycle.missingArtifactLimit else { return .retry(pause: 0) }
            let times = "\(JobLifecycle.missingArtifactLimit) times"
            return .failForGood(
                JobFailure(
                    .storage, subject: failure.subject,
                    message: "\(failure.message), after it was made again \(times): the store loses what is written to it"))
        }
        let count = failures[failure.failureClass, default: 0] + 1
        failures[failure.failureClass] = count
        let pause = RetryPolicy.delay(afterFailure: count, failure.failureClass, jitter: jitter)
        return pause.map(Consequence.retry) ?? .failForGood(failure)
    }

    /// Makes the job ready again. A job that found artifacts missing waits until they are made again in its export;
    /// other exports that rely on them notice when they need them.
    private mutating func becomeReady(at time: Date, missing: [ArtifactKey] = []) -> [Action] {
        state = missing.isEmpty || kind.needs.isEmpty ? .ready : .waiting
        copy = nil
        worker = nil
        notBefore = time
        return [.recordState] + (missing.isEmpty ? [] : [.remakeArtifacts(missing)]) + [.wakeLeader]
    }

    /// Fails the job for good. A source that cannot be probed is a probe result, which the compiler reports together
    /// with all others; every other failure ends the export.
    private mutating func failForGood(_ failure: JobFailure) -> [Action] {
        let hadCopy = copy != nil
        state = .failed
        copy = nil
        var actions: [Action] = [.recordState] + (hadCopy ? [.cancelAttempts] : [])
        actions += [.logEvent(.jobFailed, failure.description)]
        if let location = failure.changedSource { actions.append(.forgetFacts(of: location)) }
        if let hash = failure.damagedAsset { actions.append(.forgetAsset(hash)) }
        let isOfSource = failure.failureClass == .input || failure.failureClass == .crash
        actions.append(kind == .probe && isOfSource ? .recordProbeFault(failure) : .failExport(failure))
        return actions + [.wakeLeader]
    }
}

extension JobLifecycle.Event {
    /// How many seconds ago it happened. Only a report of a start says so.
    var secondsAgo: Double {
        guard case .reported(let report) = self, report.outcome == .started else { return 0 }
        return report.startedAgo ?? 0
    }
}
