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

    public init(
        id: String, host: String, version: String, roles: [WorkerRole], pools: [String], slots: Int, grace: Duration,
        directory: FarmDirectory, allowedDirectories: [String], process: RenderingProcess
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
    }
}
