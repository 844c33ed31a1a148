import ContentHashing
package import Media
package import ProcessIsolation
import Glibc

/// The limits of a farm's rendering process, which decodes files from untrusted people.
///
/// The worker limits wall time: it kills a process that makes no progress. Two limits on wall time are here: that of a
/// probe, because a probe of a file on slow storage always makes a little progress, and that of one read, because only
/// the process itself knows that it waits for storage and not for anything else.
package struct ProcessLimits: Sendable {
    /// Megabytes of the process's own data.
    package var memory: Int
    /// Seconds of processor time for one job.
    package var processorTime: Int
    /// The greatest size in megabytes of a file that it writes.
    package var fileSize: Int
    /// The limit on the wall time of a probe.
    package var probeTime: ProbeTimeLimit
    /// The limit on the wall time of one read of a source. It is shorter than the time after which a worker takes the
    /// process for one that hangs.
    package var readTime: Duration
    /// The numeric user and group that it runs as; nil for those that started it.
    package var user: (userID: UInt32, groupID: UInt32)?
    /// The control group that limits it together with all that it starts; nil where there is none.
    package var controlGroup: ControlGroup?
    /// The layers of the sandbox without which the process takes no job.
    package var requiredLayers: [SandboxLayer]
    /// Layers of the sandbox that are left out.
    package var omittedLayers: [SandboxLayer]

    package init(
        memory: Int = 4096, processorTime: Int = 4 * 3600, fileSize: Int = 64 * 1024,
        probeTime: ProbeTimeLimit = ProbeTimeLimit(), readTime: Duration = ReadWatch.limit,
        user: (userID: UInt32, groupID: UInt32)? = nil, controlGroup: ControlGroup? = nil,
        requiredLayers: [SandboxLayer] = [], omittedLayers: [SandboxLayer] = []
    ) {
        self.omittedLayers = omittedLayers
        self.requiredLayers = requiredLayers
        self.user = user
        self.controlGroup = controlGroup
        self.memory = memory
        self.processorTime = processorTime
        self.fileSize = fileSize
        self.probeTime = probeTime
        self.readTime = readTime
    }

    /// How much the scheduler of the system prefers other processes to a rendering process of a farm (`nice(2)`). Where
    /// nobody else needs the processors, nothing changes. Where coordinator, database or an operator's command run beside
    /// it, they get a processor at once, and a waiting slot its next job.
    static let niceness: Int32 = 10

    /// Limits this process's resources and priority for good.
    func apply() {
        _ = nice(ProcessLimits.niceness)
        set(RLIMIT_DATA, memory << 20)
        set(RLIMIT_FSIZE, fileSize << 20)
        set(RLIMIT_CORE, 0)
        set(__RLIMIT_MEMLOCK, 1 << 20)
        set(__RLIMIT_MSGQUEUE, 0)
    }

    /// Gives the next job its processor time, in addition to what earlier jobs have used.
    func beginJob() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        set(RLIMIT_CPU, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + processorTime, keepsCeiling: true)
    }

    /// Sets a limit, unless the existing limit is lower.
    private func set(_ resource: __rlimit_resource, _ value: Int, keepsCeiling: Bool = false) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        let ceiling = limit.rlim_max
        limit.rlim_cur = min(ceiling, rlim_t(value))
        if !keepsCeiling { limit.rlim_max = limit.rlim_cur }
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
