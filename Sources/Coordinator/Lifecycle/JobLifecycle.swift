package import FarmAPI
package import ExportPlan
package import JobQueue
package import FoundationEssentials

/// The life of a job as a pure state machine: an event goes in, actions come out. The store performs the actions and
/// decides nothing itself. Every action may be performed a second time without harm.
///
///     waiting ─▶ ready ─▶ dispatched ─▶ running ─▶ done
///        ▲         ▲          │            │         │
///        └─────────┴──────────┴────────────┤         └─▶ ready (its artifact is gone)
///            failed (retry), lease expired,│
///            returned, stopped             └─▶ failed (for good), cancelled
///
///     waiting, ready ─▶ done                  another job has made the artifact
///     failed, cancelled ─▶ waiting, ready     an operator retries
///
/// A success counts from whatever attempt it comes, as long as the job is not over: the same key means the same bytes.
/// Every other report counts only from an attempt that has not ended: the last one, and the one that the last is a copy
/// of. While one of the two goes on, the end of the other changes no state. What follows from reports is in
/// `JobLifecycle+Reports.swift`.
package struct JobLifecycle: Hashable, Sendable {
    package var kind: JobKind
    package var state: JobState
    /// Number of the last attempt, 0 before the first.
    package var attempt: Int
    /// Failed attempts that count against the retry limits, by failure class.
    package var failures: [FailureClass: Int]
    /// Excluded workers: the job is not sent to them again.
    package var excludedWorkers: [String]
    /// The worker that has the job, or had it at the end; nil where none does.
    package var worker: String?
    /// The job is not dispatched before this time.
    package var notBefore: Date
    /// How many attempts found that artifacts of other jobs were gone. They do not count against the retry limits.
    package var missedArtifacts: Int
    /// Whether the job is done without being run, because its artifact was there.
    package var reused: Bool
    /// The copy that was started of a straggler; nil while there is none.
    package var copy: Copy?

    /// A second attempt, the last one, that runs beside an older one that takes far longer than predicted. The first to
    /// succeed counts.
    package struct Copy: Hashable, Sendable {
        /// The number of the older attempt, which is still under way.
        package var original: Int
        /// Whether the second attempt has ended without success.
        package var hasEnded = false

        package init(of original: Int, hasEnded: Bool = false) {
            self.original = original
            self.hasEnded = hasEnded
        }
    }

    package init(
        _ kind: JobKind, state: JobState, attempt: Int = 0, failures: [FailureClass: Int] = [:],
        excludedWorkers: [String] = [], worker: String? = nil, notBefore: Date = .distantPast, missedArtifacts: Int = 0,
        reused: Bool = false, copy: Copy? = nil
    ) {
        self.copy = copy
        self.kind = kind
        self.state = state
        self.attempt = attempt
        self.failures = failures
        self.excludedWorkers = excludedWorkers
        self.worker = worker
        self.notBefore = notBefore
        self.missedArtifacts = missedArtifacts
        self.reused = reused
    }

    /// A new job.
    /// - Parameter isNeeded: whether the job has to run; otherwise it is done from the start.
    package init(planned kind: JobKind, isNeeded: Bool = true, at now: Date) {
        let open: JobState = kind.needs.isEmpty ? .ready : .waiting
        self.init(kind, state: isNeeded ? open : .done, notBefore: now, reused: !isNeeded)
    }

    /// What the next attempt needs of its machine: what was predicted, and after an attempt that ran out of a resource
    /// a whole machine, because nothing else can be known of the job.
    package func demand(of planned: JobDemand) -> JobDemand {
        failures[.resource, default: 0] > 0 ? .wholeMachine : planned
    }

    /// Something that happens to a job.
    package enum Event: Hashable, Sendable {
        /// All jobs that it waits for are done.
        case needsMet
        /// It is sent to the workers.
        case dispatched
        /// A second attempt is sent to another worker, because the first takes far longer than predicted.
        case copied
        /// A worker says something about an attempt.
        case reported(JobReport)
        case leaseExpired(attempt: Int)
        /// Another job has made its artifact.
        case artifactMade
        /// Its artifact is gone, although it was done.
        case artifactLost
        /// Its export is over; the job is `done` where the film exists without it, otherwise `cancelled`.
        case exportEnded(as: JobState)
        /// An operator retries its export.
        case retried
    }

    /// Something that the store does.
    package enum Action: Hashable, Sendable {
        /// Stores the lifecycle, with the time at which its state began.
        case recordState
        /// Adds the record of the attempt with this number, which is on its way to a worker.
        case addAttempt(Int)
        case startAttempt(Int, worker: String)
        case endAttempt(Int, AttemptState, worker: String? = nil, failure: JobFailure? = nil, cost: JobCost? = nil)
        /// Ends the attempts that are still under way, and tells their workers.
        case cancelAttempts
        /// The attempt that succeeded no longer counts, so that the next one may.
        case disownSuccess
        /// Keeps what the rendering process of an attempt wrote to standard error.
        case keepLog(Int, String)
        /// Adds an event for the clients that watch the export.
        case logEvent(ExportEvent.Kind, String)
        /// Records the artifact, or a probe's facts, and gives it to all jobs of the tenant that wait for it.
        case shareResult(JobResult)
        /// Forgets artifacts that are gone; the jobs of this export that made them make them again.
        case remakeArtifacts([ArtifactKey])
        /// Forgets the facts of the source at this location, because its file has changed.
        case forgetFacts(of: String)
        /// Forgets the asset with this sha256, because its stored bytes are damaged: a client that asks for it is told
        /// to upload it.
        case forgetAsset(String)
        /// Records that the probe's source cannot be used.
        case recordProbeFault(JobFailure)
        case failExport(JobFailure)
        /// Tells the leader that something may be dispatched or compiled now that could not before.
        case wakeLeader
    }

    /// Applies an event.
    /// - Parameter jitter: jitter, 0...1; spreads the retries in time.
    /// - Returns: the actions to perform, in this order; none where the event comes too late, too early or a second
    ///   time.
    package mutating func handle(_ event: Event, at now: Date, jitter: Double = 0) -> [Action] {
        switch event {
        case .needsMet:
            guard state == .waiting else { return [] }
            state = .ready
            return [.recordState]
        case .dispatched:
            guard state == .ready else { return [] }
            state = .dispatched
            attempt += 1
            worker = nil
            return [.recordState, .addAttempt(attempt)]
        case .copied:
            guard state == .running, copy == nil else { return [] }
            copy = Copy(of: attempt)
            attempt += 1
            return [.recordState, .addAttempt(attempt)]
        case .reported(let report):
            return handle(report, at: now, jitter: jitter)
        case .leaseExpired(let attempt):
            return expire(attempt, at: now, jitter: jitter)
        case .artifactMade:
            guard state == .waiting || state == .ready else { return [] }
            state = .done
            reused = true
            return [.recordState]
        case .artifactLost:
            guard state == .done else { return [] }
            state = .ready
            notBefore = now
            worker = nil
            reused = false
            return [.recordState, .disownSuccess]
        case .exportEnded(let end):
            guard !state.isTerminal else { return [] }
            state = end
            copy = nil
            reused = end == .done
            return [.recordState, .cancelAttempts]
        case .retried:
            guard state == .failed || state == .cancelled else { return [] }
            let attempts = attempt
            self = JobLifecycle(planned: kind, at: now)
            attempt = attempts
            return [.recordState]
        }
    }

    /// Whether an attempt may still make its job's artifact, as far as is known.
    package func isUnderWay(_ number: Int) -> Bool {
        guard state.isInFlight else { return false }
        return number == attempt ? copy?.hasEnded != true : number == copy?.original
    }

    /// Notes that an attempt under way ends without success.
    /// - Returns: whether another one goes on.
    mutating func end(_ number: Int) -> Bool {
        guard let copy, !copy.hasEnded else {
            self.copy = nil
            return false
        }
        if number == copy.original {
            self.copy = nil
            worker = nil
        } else {
            self.copy?.hasEnded = true
        }
        return true
    }

    /// The states in which an event changes something, for statements over many jobs at once.
    package static func states(changedBy event: Event) -> [JobState] {
        JobState.allCases.filter { state in
            var job = JobLifecycle(.stitch, state: state, attempt: 1)
            return !job.handle(event, at: .distantPast).isEmpty
        }
    }
}
