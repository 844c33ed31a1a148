package import FarmAPI
package import ExportPlan
package import FoundationEssentials

/// What the scheduler is told of the farm. The caller sends each event once, in the order in which things happened.
package enum SchedulerEvent: Hashable, Sendable {
    /// A tenant is new, or its share or the cap of its priorities has changed. A share is at least 1. A tenant that no
    /// event has named has a share of 1 and a cap of `SchedulerEvent.openCap`.
    case tenant(Int64, share: Int, priorityCap: Int)
    /// A worker is new or has sent a heartbeat. A heartbeat that changes nothing costs nothing.
    case worker(WorkerStatus)
    case workerGone(String)
    /// All roles that an operator has paused.
    case pausedRoles(Set<WorkerRole>)
    /// An export is accepted, or is open again after an operator's retry. It comes before the export's jobs.
    case export(QueuedExport)
    /// An export has another priority.
    case priority(ExportID, Int)
    /// An export is over. Its ready jobs are forgotten; those in flight take room until they end.
    case exportRemoved(ExportID)
    /// A job is ready, for the first time or after a failed attempt. A ready job that is known is replaced.
    case ready(ReadyJob)
    /// A job is no longer ready: another job has made its artifact, or an operator took it back.
    case notReady(Int64)
    /// A job was dispatched before the scheduler was built.
    case inFlight(ReadyJob, worker: String?)
    /// A worker has begun a job.
    case started(Int64, worker: String)
    /// An attempt ended, whatever its result, after it held a slot for so many seconds: 0 when it never began, nil when
    /// nobody knows.
    case ended(Int64, seconds: Double?)

    /// A cap that no priority is above.
    package static let openCap = Int.max
}

/// What the scheduler knows of an export.
package struct QueuedExport: Hashable, Sendable {
    package var id: ExportID
    package var tenant: Int64
    /// The pool whose workers do its jobs.
    package var pool: String
    /// The position in the order of acceptance.
    package var number: Int64
    package var priority: Int
    /// When it was accepted. Its age counts from here, for each of its jobs, so that an export that has begun also ends.
    package var since: Date

    package init(id: ExportID, tenant: Int64, pool: String, number: Int64, priority: Int, since: Date) {
        self.id = id
        self.tenant = tenant
        self.pool = pool
        self.number = number
        self.priority = priority
        self.since = since
    }
}

/// A job that waits for a slot. Its lane follows from the kind's role and the export's pool.
package struct ReadyJob: Hashable, Sendable {
    package var id: Int64
    package var export: ExportID
    package var kind: JobKind
    package var ordinal: Int
    package var key: ArtifactKey
    /// Predicted time on one slot, in seconds.
    package var predicted: Double
    /// The job is not dispatched before this time.
    package var notBefore: Date
    package var excludedWorkers: [String]
    /// What it needs of its machine.
    package var demand: JobDemand
    /// A number for the largest source that it reads (`PlannedJob.source`); 0 where it reads none.
    package var source: Int64

    package init(
        id: Int64, export: ExportID, kind: JobKind, ordinal: Int, key: ArtifactKey, predicted: Double,
        notBefore: Date = .distantPast, excludedWorkers: [String] = [], demand: JobDemand = JobDemand(),
        source: Int64 = 0
    ) {
        self.source = source
        self.demand = demand
        self.id = id
        self.export = export
        self.kind = kind
        self.ordinal = ordinal
        self.key = key
        self.predicted = predicted
        self.notBefore = notBefore
        self.excludedWorkers = excludedWorkers
    }
}

/// What the scheduler decides.
package struct SchedulerDecisions: Hashable, Sendable {
    package struct Dispatch: Hashable, Sendable {
        package var job: Int64
        /// The only worker that the ticket may go to; nil where any worker of the lane may take it.
        package var worker: String?
        /// Whether the ticket goes to the lane's express queue, which workers read before the other one.
        package var isExpress: Bool

        package init(job: Int64, worker: String?, isExpress: Bool = false) {
            self.job = job
            self.worker = worker
            self.isExpress = isExpress
        }
    }

    /// The jobs to send, in this order. They count as in flight from now on; one that cannot be sent is reported with
    /// `SchedulerEvent.ended` and 0 seconds.
    package var dispatches: [Dispatch] = []
    /// Jobs for which all workers of their lane are excluded. The scheduler has forgotten them: the caller makes them
    /// ready again without excluded workers, or fails their exports.
    package var withoutWorker: [Int64] = []

    package init() {}
}

/// A lane that has jobs and no worker that takes them.
package struct LaneWithoutWorkers: Hashable, Sendable {
    package var role: WorkerRole
    package var pool: String
    /// Jobs that are ready and due.
    package var due: Int
    package var inFlight: Int

    package init(role: WorkerRole, pool: String, due: Int, inFlight: Int) {
        self.role = role
        self.pool = pool
        self.due = due
        self.inFlight = inFlight
    }
}
