import FoundationEssentials

/// The memory and the processors that this process and its children may use: those of the machine, or of the control
/// groups (cgroups, version 1 or 2) that it belongs to, whichever is less. Containers and service managers limit their
/// processes in this way.
package struct MachineResources: Hashable, Sendable {
    /// Bytes of memory; nil where the system does not say.
    package var memory: Int64?
    /// Bytes of memory that this process and its children can have now without swapping, and without exceeding the limit
    /// of a control group; nil where the system does not say.
    package var available: Int64?
    /// Processors, at least 1. A control group may allow a part of one.
    package var processors: Double

    /// - Parameters:
    ///   - root: the directory that has `proc` and `sys`; a test gives one of its own.
    ///   - online: how many processors this process may run on.
    package init(root: String = "", online: Int = ProcessInfo.processInfo.activeProcessorCount) {
        let information = MachineResources.lines("\(root)/proc/meminfo")
        let groups = ControlGroups(root: root)
        let limits = [MachineResources.bytes("MemTotal:", in: information), groups.memory].compactMap(\.self)
        memory = limits.min()
        let free = [MachineResources.bytes("MemAvailable:", in: information), groups.available]
        available = free.compactMap(\.self).min()
        processors = max(1, min(Double(online), groups.processors ?? .infinity))
    }

    /// Bytes that jobs may occupy together; nil where nothing is known. An eighth, 256 MiB...4 GiB, is left to the system,
    /// to the worker and to rendering processes that wait for a job. It is a multiple of 64 MiB, so that machines of one
    /// kind are equal.
    package var memoryForJobs: Int64? {
        memory.map { all in
            let reserve = min(max(all / 8, 256 << 20), 4 << 30)
            return max(64 << 20, (all - reserve) / (64 << 20) * (64 << 20))
        }
    }

    /// Bytes that the jobs of an export may occupy together on a machine that does other things, too.
    package var memoryForExport: Int64? {
        guard let jobs = memoryForJobs else { return nil }
        return available.map { max(64 << 20, min(jobs, $0)) } ?? jobs
    }

    /// As many jobs of one thread as there are processors.
    package var slots: Int { max(1, Int(processors)) }

    /// A value of `meminfo`: `MemTotal:       24683520 kB`.
    private static func bytes(_ name: String, in lines: [Substring]) -> Int64? {
        guard let line = lines.first(where: { $0.hasPrefix(name) }) else { return nil }
        let words = line.split(separator: " ")
        guard words.count == 3, words[2] == "kB", let kilobytes = Int64(words[1]), kilobytes > 0,
            case (let bytes, false) = kilobytes.multipliedReportingOverflow(by: 1024)
        else { return nil }
        return bytes
    }

    /// The lines of a file; none where it cannot be read.
    fileprivate static func lines(_ file: String) -> [Substring] {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self).split(separator: "\n") } ?? []
    }
}

/// The limits of the control groups that this process belongs to.
private struct ControlGroups {
    /// Bytes; nil where there is no limit.
    private(set) var memory: Int64?
    /// Bytes that are left of the limits; nil where there is no limit, or the group does not say what it uses.
    private(set) var available: Int64?
    /// Processors; nil where there is no limit.
    private(set) var processors: Double?

    /// Each line of `/proc/self/cgroup` names a hierarchy, its controllers and the group in it, from the mounted root:
    /// `0::/user.slice` in version 2, `4:memory:/docker/1f` in version 1. In a container the named group may not be
    /// visible, and the mounted root is the group itself; so all groups above the named one are looked at, too.
    init(root: String) {
        for line in MachineResources.lines("\(root)/proc/self/cgroup") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].split(separator: ",")
            let base = "\(root)/sys/fs/cgroup"
            var path = fields[2].split(separator: "/")
            while true {
                let group = path.map { "/" + $0 }.joined()
                if controllers.isEmpty { readUnified(base + group) }
                if controllers.contains("memory") { readMemory("\(base)/memory\(group)") }
                if controllers.contains("cpu") {
                    for mount in ["cpu,cpuacct", "cpu"] { readProcessors("\(base)/\(mount)\(group)") }
                }
                guard path.popLast() != nil else { break }
            }
        }
    }

    /// Version 2: `memory.max` is a number or `max`, `cpu.max` a quota or `max`, and a period.
    private mutating func readUnified(_ group: String) {
        if let limit = MachineResources.lines("\(group)/memory.max").first.flatMap({ Int64($0) }) {
            self.limit(memory: limit, group, usage: "memory.current", cache: "inactive_file")
        }
        let time = MachineResources.lines("\(group)/cpu.max").first?.split(separator: " ") ?? []
        if time.count == 2, let quota = Double(time[0]), let period = Double(time[1]) { limit(quota: quota, of: period) }
    }

    /// Version 1: a group without a limit has an enormous one.
    private mutating func readMemory(_ group: String) {
        let limit = MachineResources.lines("\(group)/memory.limit_in_bytes").first.flatMap { Int64($0) }
        guard let limit, limit < 1 << 60 else { return }
        self.limit(memory: limit, group, usage: "memory.usage_in_bytes", cache: "total_inactive_file")
    }

    /// Version 1: a quota of -1 is none.
    private mutating func readProcessors(_ group: String) {
        let quota = MachineResources.lines("\(group)/cpu.cfs_quota_us").first.flatMap { Double($0) }
        let period = MachineResources.lines("\(group)/cpu.cfs_period_us").first.flatMap { Double($0) }
        if let quota, let period { limit(quota: quota, of: period) }
    }

    /// - Parameters:
    ///   - usage: the file that says how many bytes the group uses.
    ///   - cache: the row of `memory.stat` with that part of them that holds pages of files and is given back on demand.
    private mutating func limit(memory bytes: Int64, _ group: String, usage: String, cache: String) {
        guard bytes > 0 else { return }
        memory = min(memory ?? bytes, bytes)
        guard let used = MachineResources.lines("\(group)/\(usage)").first.flatMap({ Int64($0) }), used >= 0 else { return }
        let row = MachineResources.lines("\(group)/memory.stat").first { $0.hasPrefix("\(cache) ") }
        let freed = row.flatMap { Int64($0.dropFirst(cache.count + 1)) } ?? 0
        let left = max(0, bytes - max(0, used - max(0, freed)))
        available = min(available ?? left, left)
    }

    private mutating func limit(quota: Double, of period: Double) {
        guard quota > 0, period > 0 else { return }
        processors = min(processors ?? .infinity, quota / period)
    }
}
