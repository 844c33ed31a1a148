package import ExportPlan
package import FoundationEssentials

/// The answer to every listing. Its items are the coordinator's own records: exports, jobs, drafts, assets, tokens.
package struct Listing<Item: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    package var items: [Item]
    /// The server's time, so that ages do not depend on the client's clock.
    package var at: Date

    package init(_ items: [Item], at: Date) {
        self.items = items
        self.at = at
    }
}

/// One job with all its attempts.
package struct JobDetail: Hashable, Sendable, Codable {
    package var job: Job
    package var attempts: [JobAttempt]

    package init(_ job: Job, attempts: [JobAttempt]) {
        self.job = job
        self.attempts = attempts
    }
}

/// A worker and what each of its slots does.
package struct WorkerReport: Hashable, Sendable, Codable {
    package struct Running: Hashable, Sendable, Codable {
        package var job: Int64
        package var attempt: Int
        package var kind: JobKind
        /// The job's export; nil when the job has ended meanwhile.
        package var export: ExportID?
        /// The number of frames (or blocks of sound) that are done.
        package var done: Int
        /// The number of frames (or blocks of sound) in all; 0 where they are not counted.
        package var total: Int
        /// Frames per second since the job began.
        package var rate: Double
        package var startedAt: Date

        package init(_ running: WorkerStatus.Running, export: ExportID?, at now: Date) {
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

    package var id: String
    package var host: String
    package var version: String
    package var roles: [WorkerRole]
    package var pools: [String]
    package var slots: Int
    /// The number of slots that have a job, of any tenant.
    package var busy: Int
    package var isDraining: Bool
    /// Why the worker takes no jobs for now; nil while it takes them.
    package var pausedFor: String?
    package var startedAt: Date
    package var seenAt: Date
    /// The jobs that the caller may see: a tenant sees its own jobs, the operator all.
    package var running: [Running]

    package init(_ status: WorkerStatus, running: [Running]) {
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

/// The role whose queue was paused or resumed.
package struct QueuePause: Hashable, Sendable, Codable {
    package var role: WorkerRole
    package var isPaused: Bool

    package init(role: WorkerRole, isPaused: Bool) {
        self.role = role
        self.isPaused = isPaused
    }
}

/// Whether the farm can work: the answer of `/readyz`.
package struct Readiness: Hashable, Sendable, Codable {
    package var database: Bool
    package var queue: Bool

    package init(database: Bool, queue: Bool) {
        self.database = database
        self.queue = queue
    }

    package var isReady: Bool { database && queue }
}
