public import ExportPlan
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A job that is to be added to an export.
public struct NewJob: Hashable, Sendable {
    public var kind: JobKind
    /// Place within the export and kind.
    public var ordinal: Int
    public var key: ArtifactKey
    /// Without its sources: they are added from what the export knows of them when the job is dispatched.
    public var work: RenderJob
    public var frameCount: Int
    /// Predicted seconds of one slot.
    public var weight: Double

    public init(kind: JobKind, ordinal: Int, key: ArtifactKey, work: RenderJob, frameCount: Int = 0, weight: Double) {
        self.kind = kind
        self.ordinal = ordinal
        self.key = key
        self.work = work
        self.frameCount = frameCount
        self.weight = weight
    }
}

/// A job as it stands.
public struct Job: Hashable, Sendable, Codable {
    public var id: Int64
    public var export: ExportID
    public var tenant: Int64
    public var kind: JobKind
    public var ordinal: Int
    public var key: ArtifactKey
    public var pool: String
    public var priority: Int
    public var frameCount: Int
    public var state: JobState
    public var attempt: Int
    public var worker: String?
    public var reused: Bool
    public var createdAt: Date
    public var dispatchedAt: Date?
    public var startedAt: Date?
    public var finishedAt: Date?

    public init(
        id: Int64, export: ExportID, tenant: Int64, kind: JobKind, ordinal: Int, key: ArtifactKey, pool: String, priority: Int,
        frameCount: Int, state: JobState, attempt: Int, worker: String?, reused: Bool, createdAt: Date, dispatchedAt: Date?,
        startedAt: Date?, finishedAt: Date?
    ) {
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
    }
}

/// One try of a job.
public struct JobAttempt: Hashable, Sendable, Codable {
    public var number: Int
    public var state: AttemptState
    public var worker: String?
    public var failure: JobFailure?
    public var cost: JobCost?
    /// The last lines that the rendering process wrote to standard error.
    public var log: String
    public var dispatchedAt: Date
    public var startedAt: Date?
    public var finishedAt: Date?

    public init(
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
public struct JobFilter: Hashable, Sendable {
    public var tenant: Int64?
    public var export: ExportID?
    public var state: JobState?
    public var role: WorkerRole?
    /// At most.
    public var limit: Int

    public init(tenant: Int64? = nil, export: ExportID? = nil, state: JobState? = nil, role: WorkerRole? = nil, limit: Int = 100)
    {
        self.tenant = tenant
        self.export = export
        self.state = state
        self.role = role
        self.limit = limit
    }
}

/// One role's queue in numbers.
public struct QueueStatus: Hashable, Sendable, Codable {
    public var role: WorkerRole
    /// Jobs that need artifacts of others first.
    public var waiting: Int
    public var ready: Int
    public var dispatched: Int
    public var running: Int
    /// Since when the oldest ready job has been ready.
    public var oldestReadySince: Date?
    /// Seconds from ready to begun, the mean of the last minute's.
    public var waitingTime: Double?
    /// Jobs finished during the last minute.
    public var finishedLastMinute: Int
    /// Attempts that failed or were lost during the last hour.
    public var errorsLastHour: Int
    public var isPaused: Bool

    public init(
        role: WorkerRole, waiting: Int = 0, ready: Int = 0, dispatched: Int = 0, running: Int = 0, oldestReadySince: Date? = nil,
        waitingTime: Double? = nil, finishedLastMinute: Int = 0, errorsLastHour: Int = 0, isPaused: Bool = false
    ) {
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
    }
}
