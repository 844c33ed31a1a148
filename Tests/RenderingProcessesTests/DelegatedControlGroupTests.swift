import FoundationEssentials
import Glibc
import ProcessIsolation
import TestSupport
import Testing

@Suite("The control group of a worker, on made-up systems")
struct DelegatedControlGroupTests {
    @Test("A group of its own is entered one level below, and limits for children are switched on")
    func delegated() throws {
        let system = try System(membership: "0::/workers/one", controllers: "cpuset cpu memory pids", members: [getpid()])
        let group = try DelegatedControlGroup(root: system.root)
        #expect(group.directory == system.group("/workers/one"))
        #expect(try system.text("/workers/one/spool-worker/cgroup.procs") == "0")
        #expect(try system.text("/workers/one/cgroup.subtree_control") == "+memory +pids")
    }

    @Test("A process that has moved before finds the same group again")
    func again() throws {
        let system = try System(membership: "0::/workers/one/spool-worker", controllers: "memory pids", members: [])
        #expect(try DelegatedControlGroup(root: system.root).directory == system.group("/workers/one"))
    }

    @Test("The topmost group of a machine is not left, because it may have processes and limits")
    func topmost() throws {
        let system = try System(membership: "0::/", controllers: "memory pids", members: nil)
        #expect(try DelegatedControlGroup(root: system.root).directory == system.group(""))
        #expect(try system.text("/cgroup.subtree_control") == "+memory +pids")
    }

    @Test("Groups of processes that have ended are removed, and those of others are not")
    func left() throws {
        let system = try System(membership: "0::/w", controllers: "memory pids", members: [getpid()])
        let ended = try endedProcess()
        let names = ["spool-process-\(ended)-a", "spool-process-\(getppid())-b", "spool-process-x", "other"]
        for name in names { mkdir(system.group("/w/\(name)"), 0o755) }
        _ = try DelegatedControlGroup(root: system.root)
        #expect(names.map { access(system.group("/w/\($0)"), F_OK) == 0 } == [false, true, true, true])
    }

    @Test(
        "What is missing is named",
        arguments: [
            ("4:memory:/docker/1f\n", "memory pids", "the system has no control groups of version 2"),
            ("", "memory pids", "the system has no control groups of version 2"),
            ("0::/elsewhere\n", "memory pids", "its control group /elsewhere is not below /sys/fs/cgroup"),
            ("4:memory:/\n0::/w\n", "cpu pids", "control group /w has no controller 'memory'"),
            ("0::/w\n", "memory", "control group /w has no controller 'pids'"),
            ("0::/w\n", "memory pids", "other processes are in its control group /w, so that it cannot make groups below it"),
        ])
    func missing(membership: String, controllers: String, reason: String) throws {
        let system = try System(membership: membership, controllers: controllers, in: "/w", members: [getpid(), getppid()])
        #expect { try DelegatedControlGroup(root: system.root) } throws: { "\($0)" == reason }
    }

    @Test("A group that cannot be made is named with the system's reason")
    func refusedGroup() throws {
        let system = try System(membership: "0::/w", controllers: "memory pids", members: [getpid()])
        let group = try DelegatedControlGroup(root: system.root)
        try FileManager.default.removeItem(atPath: group.directory)
        let name = "\(group.directory)/spool-process-\(getpid())-a"
        #expect { try group.makeGroup("a", memory: 1 << 20, processes: 1) } throws: {
            "\($0)" == "cannot make the control group \(name): No such file or directory"
        }
    }

    @Test("A hierarchy that cannot be written is named with the system's reason")
    func readOnly() throws {
        let system = try System(membership: "0::/w", controllers: "memory pids", members: [getpid()])
        try FileManager.default.removeItem(atPath: system.group("/w/cgroup.subtree_control"))
        #expect { try DelegatedControlGroup(root: system.root) } throws: {
            "\($0)" == "cannot write \(system.group("/w/cgroup.subtree_control")): No such file or directory"
        }
    }

    /// The number of a process that is no more.
    private func endedProcess() throws -> pid_t {
        var number = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(words[0]) }
        try #require(posix_spawn(&number, "/bin/true", nil, nil, &words, nil) == 0)
        waitpid(number, nil, 0)
        return number
    }
}

/// Ordinary files in the places of `/proc` and `/sys/fs/cgroup`.
private struct System {
    private let directory: TemporaryDirectory
    var root: String { directory.path }

    /// - Parameters:
    ///   - membership: the text of `/proc/self/cgroup`.
    ///   - place: the group that exists; that of `membership` by default.
    ///   - members: the processes in the group; nil for the topmost group.
    init(membership: String, controllers: String, in place: String? = nil, members: [pid_t]?) throws {
        directory = try TemporaryDirectory()
        let named = String(membership.split(separator: "\n").last?.dropFirst(3) ?? "")
        var place = place ?? named
        if place.hasSuffix("/spool-worker") { place.removeLast("/spool-worker".count) }
        if place == "/" { place = "" }
        let manager = FileManager.default
        try manager.createDirectory(atPath: directory.file("proc/self"), withIntermediateDirectories: true)
        try Data(membership.utf8).write(to: URL(fileURLWithPath: directory.file("proc/self/cgroup")))
        try manager.createDirectory(
            atPath: directory.file("sys/fs/cgroup\(place)/spool-worker"), withIntermediateDirectories: true)
        var files = ["cgroup.controllers": controllers + "\n", "cgroup.subtree_control": "", "spool-worker/cgroup.procs": ""]
        if let members {
            files["cgroup.type"] = "domain\n"
            files["cgroup.procs"] = members.map { "\($0)\n" }.joined()
        }
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: group("\(place)/\(name)"))) }
    }

    func group(_ path: String) -> String { directory.file("sys/fs/cgroup\(path)") }

    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: group(path))), as: UTF8.self)
    }
}
