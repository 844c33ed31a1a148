package import ExportPlan
package import FoundationEssentials

/// A worker's heartbeat: what the worker is, and what each of its slots does now.
package struct WorkerStatus: Hashable, Sendable, Codable {
    package struct Running: Hashable, Sendable, Codable {
        package var job: Int64
        package var attempt: Int
        package var kind: JobKind
        /// Finished frames; for sound, finished blocks; for a probe, finished steps.
        package var done: Int
        /// Frames in all; 0 where they are not counted.
        package var total: Int
        package var startedAt: Date
        /// How many slots it takes. Earlier versions do not say; their jobs take one each.
        package var width: Int?
        /// Its predicted memory in bytes; nil where nothing is known.
        package var memory: Int64?

        package init(
            job: Int64, attempt: Int, kind: JobKind, done: Int, total: Int, startedAt: Date, width: Int? = nil,
            memory: Int64? = nil
        ) {
            self.width = width
            self.memory = memory
            self.job = job
            self.attempt = attempt
            self.kind = kind
            self.done = done
            self.total = total
            self.startedAt = startedAt
        }

        package var id: AttemptID { AttemptID(job: job, attempt: attempt) }

        /// Frames per second since the job began.
        package func rate(at now: Date) -> Double {
            let seconds = now.timeIntervalSince(startedAt)
            return seconds > 0 ? Double(done) / seconds : 0
        }
    }

    package var id: String
    package var host: String
    package var version: String
    package var roles: [WorkerRole]
    package var pools: [String]
    package var slots: Int
    /// Bytes that its jobs may occupy together, and processors that they have. Earlier versions do not send them.
    package var memory: Int64?
    package var processors: Double?
    package var startedAt: Date
    package var seenAt: Date
    package var isDraining: Bool
    /// Why the worker takes no jobs for now, such as a store that is away; nil while it takes them. Earlier versions do
    /// not send it.
    package var pausedFor: String?
    package var running: [Running]
    /// The class of its machine, such as the processor's model and the number of processors; nil where it does not say.
    /// Earlier versions do not.
    package var machine: String?
    /// Attempts whose tickets wait for free slots. Earlier versions do not say.
    package var waiting: [AttemptID]?
    /// How many seconds the worker's last heartbeat took to reach the queue. Earlier versions do not say.
    package var queueSeconds: Double?
    /// How many spans of traces the worker has dropped. Earlier versions do not say.
    package var droppedSpans: Int?
    /// Layers of the sandbox of its rendering processes that do not hold, and why. Earlier versions do not say.
    package var missingLayers: [String: String]?
    /// Codecs, fonts and plug-ins that jobs needed and this worker does not have. Earlier versions do not say.
    package var lacks: [String]?
    /// Whether a worker that drains can take jobs again: the coordinator asked it to drain, and it has not begun to end.
    /// Earlier versions cannot, and do not say.
    package var canResume: Bool?
    /// Whether the worker reads the express queues of its lanes. Earlier versions do not.
    package var readsExpress: Bool?
    /// How many processes of its machine ran or waited for a processor or a disk, on average over the last minute. Earlier
    /// versions do not say.
    package var load: Double?

    package init(
        id: String, host: String, version: String, roles: [WorkerRole], pools: [String], slots: Int, memory: Int64? = nil,
        processors: Double? = nil, startedAt: Date, seenAt: Date, isDraining: Bool, pausedFor: String? = nil, running: [Running],
        machine: String? = nil, waiting: [AttemptID]? = nil
    ) {
        self.waiting = waiting
        self.memory = memory
        self.processors = processors
        self.id = id
        self.host = host
        self.version = version
        self.roles = roles
        self.pools = pools
        self.slots = slots
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isDraining = isDraining
        self.pausedFor = pausedFor
        self.running = running
        self.machine = machine
    }

    /// All attempts that the worker has.
    package var attempts: [AttemptID] { running.map(\.id) + (waiting ?? []) }

    /// Whether the status is that of the process that was started at a time, and not of another with the same id. The time
    /// may have been rounded on its way.
    package func isOf(processStartedAt time: Date) -> Bool { abs(startedAt.timeIntervalSince(time)) < 0.1 }

    /// Whether the worker takes jobs now.
    package var takesJobs: Bool { !isDraining && pausedFor == nil }
}
