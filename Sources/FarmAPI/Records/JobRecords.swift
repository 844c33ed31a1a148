package import ExportPlan
package import FoundationEssentials

/// A job and its present state.
package struct Job: Hashable, Sendable, Codable {
    package var id: Int64
    package var export: ExportID
    package var tenant: Int64
    package var kind: JobKind
    package var ordinal: Int
    package var key: ArtifactKey
    package var pool: String
    /// The export's priority when the job was planned.
    package var priority: Int
    package var frameCount: Int
    package var state: JobState
    package var attempt: Int
    package var worker: String?
    package var reused: Bool
    package var createdAt: Date
    package var dispatchedAt: Date?
    package var startedAt: Date?
    package var finishedAt: Date?
    /// The time on one slot that was predicted when the job was planned, in seconds. Nil for jobs that an earlier version
    /// moved to the history, and in answers of an earlier version.
    package var predicted: Double?
    /// What it is predicted to need of its machine. Earlier versions do not say.
    package var demand: JobDemand?

    package init(
        id: Int64, export: ExportID, tenant: Int64, kind: JobKind, ordinal: Int, key: ArtifactKey, pool: String, priority: Int,
        frameCount: Int, state: JobState, attempt: Int, worker: String?, reused: Bool, createdAt: Date, dispatchedAt: Date?,
        startedAt: Date?, finishedAt: Date?, predicted: Double? = nil, demand: JobDemand? = nil
    ) {
        self.demand = demand
        self.id = id
        self.export = export
        self.tenant = tenant
        self.kind = kind
        self.ordinal = ordinal
        self.key = key
        self.pool = pool
        self.priority = priority
        self.frameCount = frameCount
        self.state = state
        self.attempt = attempt
        self.worker = worker
        self.reused = reused
        self.createdAt = createdAt
        self.dispatchedAt = dispatchedAt
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.predicted = predicted
    }
}

/// One attempt at a job.
package struct JobAttempt: Hashable, Sendable, Codable {
    package var number: Int
    package var state: AttemptState
    package var worker: String?
    package var failure: JobFailure?
    package var cost: JobCost?
    /// The last lines that the rendering process wrote to standard error.
    package var log: String
    package var dispatchedAt: Date
    package var startedAt: Date?
    package var finishedAt: Date?

    package init(
        number: Int, state: AttemptState, worker: String?, failure: JobFailure?, cost: JobCost?, log: String = "",
        dispatchedAt: Date, startedAt: Date?, finishedAt: Date?
    ) {
        self.number = number
        self.state = state
        self.worker = worker
        self.failure = failure
        self.cost = cost
        self.log = log
        self.dispatchedAt = dispatchedAt
        self.startedAt = startedAt
        self.finishedAt = finishedAt
    }
}

/// Which jobs to list; nil means any.
package struct JobFilter: Hashable, Sendable {
    package var tenant: Int64?
    package var export: ExportID?
    package var state: JobState?
    package var role: WorkerRole?
    /// Only jobs behind the one with this id.
    package var after: Int64?
    /// At most so many jobs are listed.
    package var limit: Int

    package init(
        tenant: Int64? = nil, export: ExportID? = nil, state: JobState? = nil, role: WorkerRole? = nil, after: Int64? = nil,
        limit: Int = 100
    ) {
        self.after = after
        self.tenant = tenant
        self.export = export
        self.state = state
        self.role = role
        self.limit = limit
    }
}

/// One role's queue in numbers.
package struct QueueStatus: Hashable, Sendable, Codable {
    package var role: WorkerRole
    /// Jobs that wait for artifacts of other jobs.
    package var waiting: Int
    package var ready: Int
    package var dispatched: Int
    package var running: Int
    /// When the oldest ready job became ready.
    package var oldestReadySince: Date?
    /// Mean time from ready to started in seconds, over the jobs that started in the last minute; nil where none did.
    package var waitingTime: Double?
    /// Jobs finished during the last minute.
    package var finishedLastMinute: Int
    /// Attempts of the last hour that failed or whose lease expired.
    package var errorsLastHour: Int
    /// The predicted work of the jobs that wait or are ready, in seconds on one slot; nil where an earlier version does not
    /// say.
    package var backlog: Double?
    package var isPaused: Bool
    /// Pools with jobs that are ready or dispatched, in order; only the operator is told.
    package var pools: [String]
    /// The part of `pools` for which no worker takes jobs now.
    package var poolsWithoutWorkers: [String]

    package init(
        role: WorkerRole, waiting: Int = 0, ready: Int = 0, dispatched: Int = 0, running: Int = 0, oldestReadySince: Date? = nil,
        waitingTime: Double? = nil, finishedLastMinute: Int = 0, errorsLastHour: Int = 0, isPaused: Bool = false,
        pools: [String] = [], poolsWithoutWorkers: [String] = [], backlog: Double? = nil
    ) {
        self.backlog = backlog
        self.role = role
        self.waiting = waiting
        self.ready = ready
        self.dispatched = dispatched
        self.running = running
        self.oldestReadySince = oldestReadySince
        self.waitingTime = waitingTime
        self.finishedLastMinute = finishedLastMinute
        self.errorsLastHour = errorsLastHour
        self.isPaused = isPaused
        self.pools = pools
        self.poolsWithoutWorkers = poolsWithoutWorkers
    }
}

/// What ended in one role's queue in each minute of the last hour.
package struct QueueHistory: Hashable, Sendable, Codable {
    /// How many minutes there are.
    package static let minutes = 60

    package var role: WorkerRole
    /// Jobs that were done, the oldest minute first.
    package var finished: [Int]
    /// Attempts that failed or whose lease expired.
    package var errors: [Int]

    package init(role: WorkerRole) {
        self.role = role
        finished = Array(repeating: 0, count: QueueHistory.minutes)
        errors = finished
    }

    /// The place of a time among the minutes before `now`; nil for a time that is not among them.
    package static func minute(of time: Date, at now: Date) -> Int? {
        let age = now.timeIntervalSince(time) / 60
        guard age >= 0, age < Double(minutes) else { return nil }
        return minutes - 1 - Int(age)
    }
}
