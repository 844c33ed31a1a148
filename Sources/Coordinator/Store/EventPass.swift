import FarmAPI
import ExportPlan
import FoundationEssentials

/// Something that happens to one job of a batch.
struct JobEvent: Sendable {
    var job: Int64
    var event: JobLifecycle.Event
    /// Spreads a retry in time, 0...1.
    var jitter: Double
}

/// An open job for an artifact that another job has made.
struct Sharer: Sendable {
    var id: Int64
    var export: ExportID
    var kind: JobKind
    var state: JobState
}

/// The events from the beginning of a batch that can be stored together, with the same outcome as one after the other.
///
/// Each event changes its own job here, in memory, and the next event of that job sees the change. What an event means
/// for other jobs is done in the database after all events of the pass. An event whose job may have been changed that
/// way by an earlier one therefore begins the next pass:
///
/// - its job waits for an artifact that an earlier event shares;
/// - its job waits for other jobs of its export, and an earlier event shares an artifact, so that the wait may be over;
/// - its export may be complete, because an earlier event shares a film;
/// - it shares an artifact, and the job of an earlier event waits for that artifact.
///
/// An event that ends its export, makes artifacts again or does anything else that happens seldom has a pass of its
/// own.
struct EventPass: Sendable {
    /// An artifact, or the facts of a source, for all jobs that wait for it.
    struct Share: Sendable {
        /// The event's index in the pass.
        var place: Int
        /// The job as the event left it.
        var job: LockedJob
        var result: JobResult

        var key: TenantKey { job.tenantKey }
    }

    /// How many events of the batch belong to the pass.
    private(set) var count = 0
    /// The batch's jobs as the events leave them.
    private(set) var jobs: [Int64: LockedJob]
    /// When the states of the changed jobs began, by job id.
    private(set) var times: [Int64: StateTimes] = [:]
    private(set) var attempts: [AttemptID: AttemptChange] = [:]
    private(set) var log: [NewEvent] = []
    /// Jobs whose open attempts end.
    private(set) var cancelling: [Int64] = []
    private(set) var shares: [Share] = []
    /// Actions of an event with a pass of its own; they are performed after everything else.
    private(set) var others: [(job: LockedJob, action: JobLifecycle.Action)] = []
    private(set) var wakesLeader = false
    /// What the scheduler has to know, except for the jobs that became ready.
    private(set) var changes = ScheduleChanges()

    /// How attempts ended.
    private(set) var ends: [AttemptEnd] = []

    /// Events that changed their jobs, with the jobs' exports.
    private var changing: [(place: Int, export: ExportID)] = []
    private var changedJobs: [TenantKey: Int64] = [:]
    private var sharedKeys: Set<TenantKey> = []
    /// Exports whose own film, or a picture beside it, is done: they may be complete.
    private var withResults: Set<ExportID> = []

    /// - Parameter jobs: the jobs of the events by id; events of other jobs change nothing.
    init(_ events: some Collection<JobEvent>, of jobs: [Int64: LockedJob], at now: Date) {
        self.jobs = jobs
        for event in events {
            guard others.isEmpty, add(event, at: now) else { break }
            count += 1
        }
    }

    /// - Returns: false where the event belongs to the next pass.
    private mutating func add(_ event: JobEvent, at now: Date) -> Bool {
        guard var job = jobs[event.job] else { return true }
        let before = job.lifecycle.state
        let actions = job.lifecycle.handle(event.event, at: now, jitter: event.jitter)
        // The log of an attempt is kept whatever state its job is in.
        let isChange = actions.contains { action in
            if case .keepLog = action { false } else { true }
        }
        if isChange {
            guard count == 0 || mayFollow(job, before, actions) else { return false }
            changing.append((count, job.export))
            changedJobs[job.tenantKey] = job.id
        }
        changes.note(job.id, event.event, before, job.lifecycle, actions)
        if let end = AttemptEnd(event.event, job.lifecycle, actions) { ends.append(end) }
        jobs[job.id] = job
        for action in actions { note(action, of: job, secondsAgo: event.event.secondsAgo) }
        return true
    }

    private func mayFollow(_ job: LockedJob, _ before: JobState, _ actions: [JobLifecycle.Action]) -> Bool {
        if actions.contains(where: \.isSeldom) || sharedKeys.contains(job.tenantKey) || withResults.contains(job.export) {
            return false
        }
        if before == .waiting, !shares.isEmpty { return false }
        let other = changedJobs[job.tenantKey]
        return other == nil || other == job.id || !actions.contains(where: \.isShare)
    }

    private mutating func note(_ action: JobLifecycle.Action, of job: LockedJob, secondsAgo: Double) {
        switch action {
        case .recordState: times[job.id, default: StateTimes()].begin(job.lifecycle.state, secondsAgo: secondsAgo)
        case .startAttempt(let number, let worker):
            attempts[AttemptID(job: job.id, attempt: number), default: AttemptChange()]
                .start(worker, secondsAgo: secondsAgo)
        case .endAttempt(let number, let state, let worker, let failure, let cost):
            attempts[AttemptID(job: job.id, attempt: number), default: AttemptChange()]
                .end(state, worker, failure, cost)
        case .keepLog(let number, let text):
            attempts[AttemptID(job: job.id, attempt: number), default: AttemptChange()].log = text
        case .cancelAttempts: cancelling.append(job.id)
        case .logEvent(let kind, let message):
            let event = NewEvent(export: job.export, job: job.id, kind: kind, message: message)
            if !log.contains(event) { log.append(event) }
        case .shareResult(let result):
            shares.append(Share(place: count, job: job, result: result))
            sharedKeys.insert(job.tenantKey)
            if job.lifecycle.kind.isResult, job.lifecycle.state == .done { withResults.insert(job.export) }
        case .wakeLeader: wakesLeader = true
        case .addAttempt, .disownSuccess, .remakeArtifacts, .forgetFacts, .forgetAsset, .recordProbeFault, .failExport:
            others.append((job, action))
        }
    }

    /// How many events of the pass can be stored together, now that it is known who waits for the shared artifacts. An
    /// earlier share may have made such a job ready, or may have completed its export.
    func certainCount(with sharers: [TenantKey: [Sharer]]) -> Int {
        var settled: Set<ExportID> = []
        var complete: Set<ExportID> = []
        for (index, share) in shares.enumerated() {
            let sharing = sharers[share.key] ?? []
            let isUncertain = sharing.contains { sharer in
                complete.contains(sharer.export) || (sharer.state == .waiting && settled.contains(sharer.export))
            }
            if isUncertain { return share.place }
            if share.job.lifecycle.state == .done {
                settled.insert(share.job.export)
                if share.job.lifecycle.kind.isResult { complete.insert(share.job.export) }
            }
            settled.formUnion(sharing.map(\.export))
            complete.formUnion(sharing.filter(\.kind.isResult).map(\.export))
            // The next share decides for itself; what lies between must not be about a complete export.
            let next = index + 1 < shares.count ? shares[index + 1].place : count
            let late = changing.first { $0.place > share.place && $0.place <= next && complete.contains($0.export) }
            if let late { return late.place }
        }
        return count
    }
}

/// When the states that a job went through began; the last state's times are stored.
struct StateTimes: Hashable, Sendable, Encodable {
    enum Time: String, Encodable {
        case now, none
        /// Now, unless the time is known.
        case first
    }

    /// The changed times; nil where the stored one stays.
    private(set) var ready: Time?
    private(set) var dispatched: Time?
    private(set) var started: Time?
    /// How many seconds before now the job was started, where it was.
    private(set) var startedAgo = 0.0

    mutating func begin(_ state: JobState, secondsAgo: Double) {
        switch state {
        case .waiting, .ready:
            ready = state == .ready ? .now : Time.none
            started = Time.none
        case .dispatched:
            dispatched = .now
            started = Time.none
        case .running:
            started = started == Time.none || started == .now ? .now : .first
            startedAgo = secondsAgo
        case .done, .failed, .cancelled: break
        }
    }
}

/// What events change of an attempt.
struct AttemptChange: Hashable, Sendable {
    private(set) var state: AttemptState?
    private(set) var worker: String?
    /// How many seconds before now it began; nil where that is not new.
    private(set) var startedAgo: Double?
    private(set) var hasEnded = false
    private(set) var failure: JobFailure?
    private(set) var cost: JobCost?
    var log: String?

    mutating func start(_ worker: String, secondsAgo: Double) {
        state = .running
        self.worker = worker
        startedAgo = startedAgo ?? secondsAgo
    }

    mutating func end(_ state: AttemptState, _ worker: String?, _ failure: JobFailure?, _ cost: JobCost?) {
        self.state = state
        self.worker = worker ?? self.worker
        self.failure = failure
        self.cost = cost
        hasEnded = true
    }
}

/// An event to be recorded for the clients that watch an export.
struct NewEvent: Hashable, Sendable {
    var export: ExportID
    var job: Int64?
    var kind: ExportEvent.Kind
    var message: String
}

extension JobLifecycle.Action {
    fileprivate var isShare: Bool { if case .shareResult = self { true } else { false } }

    /// Whether an event with this action has a pass of its own.
    fileprivate var isSeldom: Bool {
        switch self {
        case .recordState, .startAttempt, .endAttempt, .cancelAttempts, .keepLog, .logEvent, .shareResult, .wakeLeader: false
        case .addAttempt, .disownSuccess, .remakeArtifacts, .forgetFacts, .forgetAsset, .recordProbeFault, .failExport: true
        }
    }
}
