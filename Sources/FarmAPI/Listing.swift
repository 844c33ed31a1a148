public import Coordinator
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The answer to every listing. The records in it are the coordinator's own: exports, jobs, drafts, assets, tokens.
public struct Listing<Item: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    public var items: [Item]
    /// The server's time, so that ages do not depend on the client's clock.
    public var at: Date

    public init(_ items: [Item], at: Date) {
        self.items = items
        self.at = at
    }
}

/// One job with all its tries.
public struct JobDetail: Hashable, Sendable, Codable {
    public var job: Job
    public var attempts: [JobAttempt]

    public init(_ job: Job, attempts: [JobAttempt]) {
        self.job = job
        self.attempts = attempts
    }
}

/// A worker and what each of its slots does.
public struct WorkerReport: Hashable, Sendable, Codable {
    public struct Running: Hashable, Sendable, Codable {
        public var job: Int64
        public var attempt: Int
        public var kind: JobKind
        /// nil when the job is over by now.
        public var export: ExportID?
        /// Frames (or blocks of sound) that are done.
        public var done: Int
        /// Frames that there are in all; 0 where they are not counted.
        public var total: Int
        /// Frames a second since the job began.
        public var rate: Double
        public var startedAt: Date

        public init(_ running: WorkerStatus.Running, export: ExportID?, at now: Date) {
            job = running.job
            attempt = running.attempt
            kind = running.kind
            self.export = export
            done = running.done
            total = running.total
            rate = running.rate(at: now)
            startedAt = running.startedAt
        }
    }

    public var id: String
    public var host: String
    public var version: String
    public var roles: [WorkerRole]
    public var pools: [String]
    public var slots: Int
    /// Slots that work, for whomever.
    public var busy: Int
    public var isDraining: Bool
    /// Why it takes no jobs for now; nil while it takes them.
    public var pausedFor: String?
    public var startedAt: Date
    public var seenAt: Date
    /// What the one who asks may see of it: a tenant its own jobs, the operator all.
    public var running: [Running]

    public init(_ status: WorkerStatus, running: [Running]) {
        id = status.id
        host = status.host
        version = status.version
        roles = status.roles
        pools = status.pools
        slots = status.slots
        busy = status.running.count
        isDraining = status.isDraining
        pausedFor = status.pausedFor
        startedAt = status.startedAt
        seenAt = status.seenAt
        self.running = running
    }
}

/// Which role's queue was paused or resumed.
public struct QueuePause: Hashable, Sendable, Codable {
    public var role: WorkerRole
    public var isPaused: Bool

    public init(role: WorkerRole, isPaused: Bool) {
        self.role = role
        self.isPaused = isPaused
    }
}

/// Whether the farm can work: the answer of `/readyz`.
public struct Readiness: Hashable, Sendable, Codable {
    public var database: Bool
    public var queue: Bool

    public init(database: Bool, queue: Bool) {
        self.database = database
        self.queue = queue
    }

    public var isReady: Bool { database && queue }
}
