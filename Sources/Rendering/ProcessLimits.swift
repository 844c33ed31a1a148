import CProcessIsolation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a rendering process of a farm may use: it decodes files that anybody may have made.
///
/// Wall time is the worker's business: it kills a process that does not get on.
public struct ProcessLimits: Sendable {
    /// Megabytes of its own data.
    public var memory: Int
    /// Seconds of processor time for one job.
    public var processorTime: Int
    /// Megabytes of one file that it writes.
    public var fileSize: Int

    public init(memory: Int = 4096, processorTime: Int = 4 * 3600, fileSize: Int = 64 * 1024) {
        self.memory = memory
        self.processorTime = processorTime
        self.fileSize = fileSize
    }

    /// Limits this process for good, and takes it off the network where the system allows that.
    func apply() {
        set(RLIMIT_DATA, memory << 20)
        set(RLIMIT_FSIZE, fileSize << 20)
        set(RLIMIT_CORE, 0)
        _ = spool_leave_network()  // containers may forbid it; the limits above hold all the same
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
