package import FarmAPI
package import ArtifactStore
import ContentHashing
import JobQueue
package import RemoteSources
package import RenderingProcesses

/// What a worker is, and where it finds things.
package struct WorkerConfiguration: Sendable {
    /// The worker's id, different from that of any other.
    package var id: String
    package var host: String
    package var version: String
    package var roles: [WorkerRole]
    /// The pools whose jobs it takes.
    package var pools: [String]
    /// How many jobs of one slot it does at a time.
    package var slots: Int
    /// Bytes that its jobs may occupy together, and processors that they have; nil takes every job for one slot.
    package var memory: Int64?
    package var processors: Double?
    /// How long running jobs may take to end after the worker was asked to drain.
    package var grace: Duration
    package var directory: FarmDirectory
    /// The farm's store where this machine does not share its files; `directory` then has this machine's copies.
    package var mirror: MirroredStore?
    /// Directories in which sources named by path may lie, with symbolic links resolved.
    package var allowedDirectories: [String]
    package var process: RenderingProcess
    /// How long a job may be without progress before it counts as hung: at least this long, and at least ten times its
    /// mean time per step.
    package var progressTimeout: Duration
    /// How long storage may take to answer one read of the worker's own, such as that of an asset that it compares with
    /// its hash.
    package var readTime: Duration
    /// How long, after `grace`, the queue is tried for reports that have not arrived.
    package var reportTimeout: Duration
    /// The user that rendering processes run as, who therefore owns the artifacts; nil for the user that runs the
    /// worker.
    package var renderUser: RenderUser?
    /// The pauses between two checks of a store that is away. Each is a twentieth longer than the one before.
    package var storePauses: ClosedRange<Duration>
    /// Which sources may be fetched from addresses.
    package var remotes = RemotePolicy()
    /// The class of the machine (`MachineClass`), by which the times that its jobs take are predicted.
    package var machine = MachineClass.ofThisMachine
    /// How many spans of traces this process has dropped; nil where it records none.
    package var droppedSpans: @Sendable () -> Int? = { nil }
    /// Layers of the sandbox of rendering processes that do not hold, by name, and the system's reasons; nil where that is not
    /// known.
    package var missingLayers: [String: String]?
    /// Called when the coordinator has asked the worker to drain, before it does so.
    package var willDrain: @Sendable () -> Void = {}
    /// Called when the coordinator has taken that back, and the worker takes jobs again.
    package var didResume: @Sendable () -> Void = {}

    /// `memory`, `processors` and the parameters after `process` have defaults: nothing known, the worker's own user, 60 s
    /// without progress, `ReadWatch.limit` for one read, 5 s for reports, and pauses of 0.25 s to 60 s.
    package init(
        id: String, host: String, version: String, roles: [WorkerRole], pools: [String], slots: Int, memory: Int64? = nil,
        processors: Double? = nil, grace: Duration,
        directory: FarmDirectory, allowedDirectories: [String], process: RenderingProcess, renderUser: RenderUser? = nil,
        progressTimeout: Duration = .seconds(60), readTime: Duration = ReadWatch.limit, reportTimeout: Duration = .seconds(5),
        storePauses: ClosedRange<Duration> = .milliseconds(250) ... .seconds(60)
    ) {
        self.id = id
        self.host = host
        self.version = version
        self.roles = roles
        self.pools = pools
        self.slots = slots
        self.memory = memory
        self.processors = processors
        self.grace = grace
        self.directory = directory
        self.allowedDirectories = allowedDirectories
        self.process = process
        self.renderUser = renderUser
        self.progressTimeout = progressTimeout
        self.readTime = readTime
        self.reportTimeout = reportTimeout
        self.storePauses = storePauses
    }

    var capacity: WorkerCapacity { WorkerCapacity(slots: slots, memory: memory, processors: processors) }
}

/// A user of this machine, by number.
package struct RenderUser: Hashable, Sendable {
    package var userID: UInt32
    package var groupID: UInt32

    package init(userID: UInt32, groupID: UInt32) {
        self.userID = userID
        self.groupID = groupID
    }
}
