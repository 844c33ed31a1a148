import RenderingProcesses
import TestSupport
import Testing
import FoundationEssentials

@Suite("What a machine gives its jobs")
struct MachineResourcesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func write(_ text: String, _ file: String) throws {
        let path = URL(fileURLWithPath: directory.file(file))
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
    }

    private func memory(total: Int64, available: Int64) throws {
        try write(
            "MemTotal:       \(total >> 10) kB\nMemFree:  1 kB\nMemAvailable:   \(available >> 10) kB\nHugePages_Total:  0\n",
            "proc/meminfo")
    }

    private func resources(online: Int = 8) -> MachineResources { MachineResources(root: directory.path, online: online) }

    @Test("is its memory less an eighth, and its processors, where no control group limits them")
    func machine() throws {
        try memory(total: 8 << 30, available: 2 << 30)
        #expect(resources().memory == 8 << 30 && resources().processors == 8 && resources().slots == 8)
        #expect(resources().memoryForJobs == 7 << 30)
        #expect(resources().memoryForExport == 2 << 30, "no more than programs can have without swapping")
        try memory(total: 128 << 30, available: 127 << 30)
        #expect(resources().memoryForJobs == 124 << 30 && resources().memoryForExport == 124 << 30)
        try memory(total: 100 << 20, available: 1 << 20)
        #expect(resources().memoryForJobs == 64 << 20 && resources().memoryForExport == 64 << 20)
    }

    @Test("is what the control groups of version 2 allow, those above the process's own included")
    func unified() throws {
        try memory(total: 64 << 30, available: 60 << 30)
        try write("0::/a/b\n", "proc/self/cgroup")
        try write("\(2 << 30)\n", "sys/fs/cgroup/a/memory.max")
        try write("max\n", "sys/fs/cgroup/a/b/memory.max")
        try write("max 100000\n", "sys/fs/cgroup/a/cpu.max")
        try write("250000 100000\n", "sys/fs/cgroup/a/b/cpu.max")
        #expect(resources().memory == 2 << 30 && resources().memoryForJobs == 1792 << 20)
        #expect(resources().processors == 2.5 && resources().slots == 2)
        #expect(resources(online: 2).processors == 2)
        #expect(resources().memoryForExport == 1792 << 20, "the group does not say what it uses")
        try write("\(1536 << 20)\n", "sys/fs/cgroup/a/memory.current")
        #expect(resources().available == 512 << 20 && resources().memoryForExport == 512 << 20)
        try write("anon 1\ninactive_file \(1 << 30)\nactive_file 5\n", "sys/fs/cgroup/a/memory.stat")
        #expect(resources().available == 1536 << 20, "pages of files that are not in use are given back")
    }

    @Test("is what the control groups of version 1 allow, also where only the root of the container is seen")
    func versionOne() throws {
        try memory(total: 64 << 30, available: 60 << 30)
        try write("12:pids:/x\n4:memory:/docker/1f\n3:cpu,cpuacct:/docker/1f\n1:name=systemd:/\n", "proc/self/cgroup")
        try write("\(1 << 30)\n", "sys/fs/cgroup/memory/memory.limit_in_bytes")
        try write("50000\n", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")
        try write("100000\n", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us")
        #expect(resources().memory == 1 << 30 && resources().memoryForJobs == 768 << 20)
        try write("\(900 << 20)\n", "sys/fs/cgroup/memory/memory.usage_in_bytes")
        try write("total_inactive_file \(100 << 20)\n", "sys/fs/cgroup/memory/memory.stat")
        #expect(resources().available == 224 << 20 && resources().memoryForExport == 224 << 20)
        #expect(resources().processors == 1, "half a processor is one, because a worker has a slot")
        try write("9223372036854771712\n", "sys/fs/cgroup/memory/memory.limit_in_bytes")
        try write("-1\n", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")
        #expect(resources().memory == 64 << 30 && resources().processors == 8)
    }

    @Test("is not known of memory where the system says nothing, or what is no number")
    func nothing() throws {
        #expect(resources(online: 3).memory == nil && resources(online: 3).processors == 3)
        #expect(resources().memoryForJobs == nil && resources().memoryForExport == nil)
        try write("MemTotal: many kB\n", "proc/meminfo")
        try write("::\n0::/\nx\n", "proc/self/cgroup")
        try write("none\n", "sys/fs/cgroup/memory.max")
        try write("1 0\n", "sys/fs/cgroup/cpu.max")
        #expect(resources(online: 3).memory == nil && resources(online: 3).processors == 3)
    }

    @Test("is found on this machine")
    func here() throws {
        let own = MachineResources()
        #expect(try #require(own.memory) > 64 << 20 && own.processors >= 1 && own.slots >= 1)
        #expect(try #require(own.memoryForJobs) <= #require(own.memory))
    }
}
