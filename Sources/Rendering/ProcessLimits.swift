public import Media
import ProcessIsolation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a rendering process of a farm may use: it decodes files that anybody may have made.
///
/// Wall time is the worker's business: it kills a process that does not get on. Only probes have a limit of their own, because a probe of a
/// file on slow storage always gets on a little.
public struct ProcessLimits: Sendable {
    /// Megabytes of its own data.
    public var memory: Int
    /// Seconds of processor time for one job.
    public var processorTime: Int
    /// Megabytes of one file that it writes.
    public var fileSize: Int
    /// How long a probe may take by the clock.
    public var probeTime: ProbeTimeLimit
    /// Whom it runs as, by number; nil for the one who starts it.
    public var user: (userID: UInt32, groupID: UInt32)?

    public init(
        memory: Int = 4096, processorTime: Int = 4 * 3600, fileSize: Int = 64 * 1024,
        probeTime: ProbeTimeLimit = ProbeTimeLimit(), user: (userID: UInt32, groupID: UInt32)? = nil
    ) {
        self.user = user
        self.memory = memory
        self.processorTime = processorTime
        self.fileSize = fileSize
        self.probeTime = probeTime
    }

    /// Limits this process for good: what it may use, whom it is, whom it reaches. Containers may forbid some of that; the rest
    /// holds all the same.
    /// - Throws: `Isolation.Refusal` when it cannot become the user that it should be.
    func apply() throws {
        set(RLIMIT_DATA, memory << 20)
        set(RLIMIT_FSIZE, fileSize << 20)
        set(RLIMIT_CORE, 0)
        Isolation.leaveNetwork()
        if let user { try Isolation.become(user: user.userID, group: user.groupID) }
        Isolation.dropCapabilities()
        Isolation.takeNoNewPrivileges()
        Isolation.refuseSystemCalls()
    }

    /// Gives the next job its processor time, on top of what earlier ones have used.
    func beginJob() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        set(RLIMIT_CPU, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + processorTime, keepsCeiling: true)
    }

    /// A limit that is lower already stays.
    private func set(_ resource: __rlimit_resource, _ value: Int, keepsCeiling: Bool = false) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        let ceiling = limit.rlim_max
        limit.rlim_cur = min(ceiling, rlim_t(value))
        if !keepsCeiling { limit.rlim_max = limit.rlim_cur }
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
