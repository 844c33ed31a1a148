package import ExportPlan
package import FoundationEssentials

/// The answer to every listing: one page of it. Its items are the coordinator's own records: exports, jobs, drafts, assets,
/// tokens.
package struct Listing<Item: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    package var items: [Item]
    /// The server's time, so that ages do not depend on the client's clock.
    package var at: Date
    /// What the parameter `cursor` has to be for the next page; nil on the last one.
    package var next: String?

    package init(_ items: [Item], at: Date, next: String? = nil) {
        self.items = items
        self.at = at
        self.next = next
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
        /// How many slots it takes; nil where an earlier version does not say.
        package var width: Int?
        /// Its predicted memory in bytes; nil where nothing is known.
        package var memory: Int64?

        package init(_ running: WorkerStatus.Running, export: ExportID?, at now: Date) {
            job = running.job
            attempt = running.attempt
            kind = running.kind
            self.export = export
            done = running.done
            total = running.total
            rate = running.rate(at: now)
            startedAt = running.startedAt
            width = running.width
            memory = running.memory
        }
    }

    package var id: String
    package var host: String
    package var version: String
    package var roles: [WorkerRole]
    package var pools: [String]
    package var slots: Int
    /// The class of its machine; nil where it does not say.
    package var machine: String?
    /// The number of slots that jobs of any tenant take.
    package var busy: Int
    /// Bytes that its jobs may occupy together, and processors that they have; nil where the worker does not say.
    package var memory: Int64?
    package var processors: Double?
    package var isDraining: Bool
    /// Why the worker takes no jobs for now; nil while it takes them.
    package var pausedFor: String?
    package var startedAt: Date
    package var seenAt: Date
    /// The jobs that the caller may see: a tenant sees its own jobs, the operator all.
    package var running: [Running]
    /// How many jobs, of any tenant, wait at the worker for free slots; nil where an earlier version does not say.
    package var waiting: Int?
    /// Layers of the sandbox of its rendering processes that do not hold, by name, and the system's reasons; nil where an
    /// earlier version does not say.
    package var missingLayers: [String: String]?
    /// Codecs, fonts and plug-ins that jobs needed and the worker does not have, in the words of the jobs' failures;
    /// nil where an earlier version does not say.
    package var lacks: [String]?
    /// How many processes of its machine ran or waited for a processor or a disk, on average over the last minute; nil where
    /// an earlier version does not say.
    package var load: Double?

    package init(_ status: WorkerStatus, running: [Running]) {
        id = status.id
        host = status.host
        version = status.version
        roles = status.roles
        pools = status.pools
        slots = status.slots
        machine = status.machine
        // A worker may say any number.
        busy = status.running.reduce(0) { $0 + min(max(1, $1.width ?? 1), max(1, min(status.slots, 1 << 16))) }
        memory = status.memory
        processors = status.processors
        isDraining = status.isDraining
        pausedFor = status.pausedFor
        startedAt = status.startedAt
        seenAt = status.seenAt
        self.running = running
        waiting = status.waiting?.count
        missingLayers = status.missingLayers
        lacks = status.lacks
        load = status.load
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

/// That the coordinator is alive: the answer of `/healthz`.
package struct Liveness: Hashable, Sendable, Codable {
    /// Always `ok`.
    package var status = "ok"
    /// What did not answer when it was last looked at, in words.
    package var missing: [String]

    package init(missing: [String]) {
        self.missing = missing
    }
}

/// Whether the farm can work: the answer of `/readyz`.
package struct Readiness: Hashable, Sendable, Codable {
    package var database: Bool
    package var queue: Bool
    package var store = true
    /// What does not answer, in words. The coordinator cannot work without it.
    package var missing: [String] = []
    /// What else the farm lacks, in words. This coordinator works without it.
    package var warnings: [String] = []

    package init(database: Bool, queue: Bool) {
        self.database = database
        self.queue = queue
    }

    package var isReady: Bool { database && queue && store }
}
