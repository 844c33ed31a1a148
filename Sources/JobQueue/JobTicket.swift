public import ExportPlan

/// A job on its way to a worker: everything that it needs to know.
public struct JobTicket: Hashable, Sendable, Codable {
    /// The job's number in the database.
    public var job: Int64
    /// Which try this is, from 1.
    public var attempt: Int
    public var kind: JobKind
    /// Whose artifacts it reads and writes.
    public var tenant: Int64
    /// Which workers' queue it goes to.
    public var pool: String
    /// The artifact that it makes; of a probe the name of what it finds out.
    public var key: ArtifactKey
    /// Output frames of a picture segment or a film, 0 for the others.
    public var frameCount: Int
    /// Workers that cannot do it, or went down with it: they hand it back.
    public var shunned: [String]
    /// Paths of sources are locations here, as the draft has them: the worker knows where they lie.
    public var work: RenderJob
    /// The renderer that the artifact's key stands for: another one would make other bytes.
    public var renderer = rendererVersion

    public init(
        job: Int64, attempt: Int, kind: JobKind, tenant: Int64, pool: String, key: ArtifactKey, frameCount: Int,
        shunned: [String] = [], work: RenderJob
    ) {
        self.job = job
        self.attempt = attempt
        self.kind = kind
        self.tenant = tenant
        self.pool = pool
        self.key = key
        self.frameCount = frameCount
        self.shunned = shunned
        self.work = work
    }

    public var identity: AttemptID { AttemptID(job: job, attempt: attempt) }
}

/// One try of one job.
public struct AttemptID: Hashable, Sendable, Codable {
    public var job: Int64
    public var attempt: Int

    public init(job: Int64, attempt: Int) {
        self.job = job
        self.attempt = attempt
    }
}
