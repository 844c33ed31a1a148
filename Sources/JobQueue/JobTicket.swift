package import FarmAPI
package import ExportPlan
package import FoundationEssentials

/// A job on its way to a worker, with everything that the worker needs to know.
package struct JobTicket: Hashable, Sendable, Codable {
    /// The job's number in the database.
    package var job: Int64
    /// The number of the attempt, from 1.
    package var attempt: Int
    package var kind: JobKind
    /// The tenant whose artifacts the job reads and writes.
    package var tenant: Int64
    /// The pool whose workers may take it.
    package var pool: String
    /// The artifact that the job makes; for a probe, the name of its result.
    package var key: ArtifactKey
    /// Output frames of a video segment or a film; 0 for the others.
    package var frameCount: Int
    /// The only worker that may take the job, because others are excluded or because the job takes several slots; nil
    /// where any worker of its role and pool may.
    package var worker: String?
    /// Whether the ticket goes to the lane's express queue; nil in tickets of earlier versions.
    package var isExpress: Bool?
    /// What the job is predicted to need of its machine. Nil in tickets of earlier versions: the job takes one slot.
    package var demand: JobDemand?
    /// The farm that the job belongs to. A worker whose store belongs to another farm returns the job.
    package var farm: String?
    /// What the worker needs to fetch the sources of a probe; nil where there is nothing to fetch.
    package var remote: RemoteAccess?
    /// The export that the job belongs to, for logs and traces. Nil in tickets of earlier versions.
    package var export: ExportID?
    /// The place in the export's trace under which the worker's spans belong, as the W3C's `traceparent` has it; nil where
    /// no traces are recorded. Text that is none is ignored.
    package var trace: String?
    /// When the job became ready, for the leader alone, which sends it to nobody.
    package var readyAt: Date?
    /// What to do. Paths of sources are locations here, as the draft has them; the worker knows where the files lie.
    package var work: RenderJob
    /// The renderer version that the artifact's key stands for. Another version would make other bytes.
    package var renderer = rendererVersion

    package init(
        job: Int64, attempt: Int, kind: JobKind, tenant: Int64, pool: String, key: ArtifactKey, frameCount: Int,
        work: RenderJob, demand: JobDemand? = nil
    ) {
        self.demand = demand
        self.job = job
        self.attempt = attempt
        self.kind = kind
        self.tenant = tenant
        self.pool = pool
        self.key = key
        self.frameCount = frameCount
        self.work = work
    }

    package var identity: AttemptID { AttemptID(job: job, attempt: attempt) }

    /// How many slots the job takes at a worker.
    package func width(at worker: WorkerCapacity) -> Int { worker.width(of: demand ?? JobDemand()) }
}
