public import ArtifactStore
public import JobQueue
public import RenderingProcesses

/// What a worker is and where it finds things.
public struct WorkerConfiguration: Sendable {
    /// Unlike any other worker's.
    public var id: String
    public var host: String
    public var version: String
    public var roles: [WorkerRole]
    /// Tags: which exports' jobs it takes.
    public var pools: [String]
    /// Jobs at a time.
    public var slots: Int
    /// How long running jobs may take to end after the worker was asked to drain.
    public var grace: Duration
    public var directory: FarmDirectory
    /// Where sources named by path may lie, after symbolic links.
    public var allowedDirectories: [String]
    public var process: RenderingProcess
    /// How long a job may be without progress before it is taken for hung: at least so long, and ten times its usual step.
    public var patience: Duration
    /// How long the queue is tried behind `grace` for what is still to be reported.
    public var farewell: Duration
    /// Whom rendering processes run as, and whose the artifacts therefore are; nil for the one who runs the worker.
    public var renderUser: RenderUser?
    /// The pauses between two looks at a store that is away: each twice as long as the one before.
    public var storePauses: ClosedRange<Duration>

    /// Everything behind `process` has a default: the worker's own user, 60 s of patience, 5 s of farewell, pauses of 1 s to 60 s.
    public init(
        id: String, host: String, version: String, roles: [WorkerRole], pools: [String], slots: Int, grace: Duration,
        directory: FarmDirectory, allowedDirectories: [String], process: RenderingProcess, renderUser: RenderUser? = nil,
        patience: Duration = .seconds(60), farewell: Duration = .seconds(5),
        storePauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
    ) {
        self.id = id
        self.host = host
        self.version = version
        self.roles = roles
        self.pools = pools
        self.slots = slots
        self.grace = grace
        self.directory = directory
        self.allowedDirectories = allowedDirectories
        self.process = process
        self.renderUser = renderUser
        self.patience = patience
        self.farewell = farewell
        self.storePauses = storePauses
    }
}

/// A user of this machine, by number.
public struct RenderUser: Hashable, Sendable {
    public var userID: UInt32
    public var groupID: UInt32

    public init(userID: UInt32, groupID: UInt32) {
        self.userID = userID
        self.groupID = groupID
    }
}
