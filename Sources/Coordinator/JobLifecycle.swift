public import ExportPlan
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The life of a job as a pure state machine: who stores jobs applies what happens to them and then does what the verdict
/// says.
///
///     waiting ─▶ ready ─▶ dispatched ─▶ running ─▶ done
///                  ▲          │            │
///                  └──────────┴────────────┤  failed (retry), lost, returned
///                                          └─▶ failed (for good), cancelled
///
/// A success counts whatever attempt it comes from, as long as the job is not over: same key, same bytes. Everything else
/// counts only from the attempt that is under way.
public struct JobLifecycle: Hashable, Sendable {
    public var state: JobState
    /// Number of the last attempt, 0 before the first.
    public var attempt: Int
    /// Attempts that count against it.
    public var failures: [FailureClass: Int]
    /// Workers that shall not have it again.
    public var shunned: [String]
    public var worker: String?
    /// It is not dispatched before.
    public var notBefore: Date
    /// How often it found artifacts of others gone; these attempts do not count against it.
    public var missedArtifacts: Int

    public init(
        state: JobState, attempt: Int = 0, failures: [FailureClass: Int] = [:], shunned: [String] = [], worker: String? = nil,
        notBefore: Date = .distantPast, missedArtifacts: Int = 0
    ) {
        self.missedArtifacts = missedArtifacts
        self.state = state
        self.attempt = attempt
        self.failures = failures
        self.shunned = shunned
        self.worker = worker
        self.notBefore = notBefore
    }

    /// What follows from something that happened.
    public enum Verdict: Hashable, Sendable {
        /// It came too late, or twice: nothing changes.
        case ignored
        /// Noted; the job goes on.
        case noted
        /// Its artifact is there.
        case done
        /// It is tried again, no earlier than `notBefore`.
        case retried
        /// Its last try has failed.
        case failed(JobFailure)
    }

    /// ready -> dispatched, with the next attempt's number.
    /// - Returns: nil when it is not ready.
    public mutating func dispatch() -> Int? {
        guard state == .ready else { return nil }
        state = .dispatched
        attempt += 1
        worker = nil
        return attempt
    }

    /// What a worker reported.
    /// - Parameter luck: 0...1, spreads the retries.
    public mutating func apply(
        _ outcome: JobReport.Outcome, attempt reported: Int, worker reporter: String, at now: Date, luck: Double
    ) -> Verdict {
        if case .finished = outcome {
            guard !state.isTerminal else { return .ignored }
            state = .done
            worker = reporter
            return .done
        }
        guard state.isInFlight, reported == attempt else { return .ignored }
        switch outcome {
        case .started:
            state = .running
            worker = reporter
            return .noted
        case .finished:
            return .ignored  // handled above
        case .failed(let failure):
            worker = reporter
            return fail(failure, worker: reporter, at: now, luck: luck)
        case .returned:
            return again(at: now)
        case .cancelled:
            // Who cancels a job says so in the database first; a worker that stops by itself only hands it back.
            return again(at: now)
        }
    }

    /// The worker that has it is silent, or the queue lost it.
    public mutating func lose(attempt lost: Int, at now: Date, luck: Double) -> Verdict {
        guard state.isInFlight, lost == attempt else { return .ignored }
        let who = worker.map { "worker '\($0)'" } ?? "the worker that took it"
        let failure = JobFailure(.transient, subject: "", message: "\(who) fell silent while it worked on it")
        return fail(failure, worker: nil, at: now, luck: luck)
    }

    public mutating func cancel() -> Bool {
        guard !state.isTerminal else { return false }
        state = .cancelled
        return true
    }

    fileprivate mutating func again(at time: Date) -> Verdict {
        state = .ready
        notBefore = time
        return .retried
    }

    /// How often a job may miss artifacts of others: a store that loses what was just written to it never gets well by trying.
    static let missingArtifactLimit = 100

    private mutating func fail(_ failure: JobFailure, worker: String?, at now: Date, luck: Double) -> Verdict {
        if failure.failureClass == .transient, failure.missingArtifacts?.isEmpty == false {
            return missArtifacts(failure, at: now)
        }
        failures[failure.failureClass, default: 0] += 1
        let count = failures[failure.failureClass] ?? 1
        guard let delay = RetryPolicy.delay(afterFailure: count, failure.failureClass, luck: luck) else {
            state = .failed
            return .failed(failure)
        }
        if let worker, failure.failureClass == .environment || failure.failureClass == .crash, !shunned.contains(worker) {
            shunned.append(worker)
        }
        return again(at: now.addingTimeInterval(delay))
    }
}

extension JobLifecycle {
    /// What the job needs is gone and is made again: nobody's failure, so it uses up no attempt.
    private mutating func missArtifacts(_ failure: JobFailure, at now: Date) -> Verdict {
        missedArtifacts += 1
        guard missedArtifacts <= JobLifecycle.missingArtifactLimit else {
            state = .failed
            let times = "\(JobLifecycle.missingArtifactLimit) times"
            return .failed(
                JobFailure(
                    .storage, subject: failure.subject,
                    message: "\(failure.message), after it was made again \(times): the store loses what is written to it"))
        }
        return again(at: now)
    }
}

/// How often and how soon a job is tried again, by the class of its failure (farm.md, section 4).
public enum RetryPolicy {
    /// Tries in all.
    static func attempts(_ failureClass: FailureClass) -> Int {
        switch failureClass {
        case .input: 1
        case .transient: 5
        // Waits of half a minute on average: more than an hour in all.
        case .storage: 130
        case .resource: 2
        // Another worker does it; the job fails when there is none left to ask.
        case .environment: .max
        case .crash: 3
        }
    }

    /// - Parameters:
    ///   - count: failures of this class so far, this one included.
    ///   - luck: 0...1, spreads retries between half and all of the delay.
    /// - Returns: seconds to wait; nil when it was the last try.
    public static func delay(afterFailure count: Int, _ failureClass: FailureClass, luck: Double) -> Double? {
        guard count < attempts(failureClass) else { return nil }
        guard failureClass == .transient || failureClass == .storage else { return 0 }
        var whole = 1.0
        for _ in 1..<min(max(count, 1), 7) where whole < 60 { whole *= 2 }
        return min(whole, 60) * (0.5 + 0.5 * luck)
    }
}
