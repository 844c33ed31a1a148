import Glibc

/// The control group (cgroup, version 2) of this process, below which it makes groups for the processes that it starts.
///
/// The system's manager delegates it to the program: a systemd unit with `Delegate=yes`, or a container with a writable
/// hierarchy. A group with limits for its children must not have processes itself, so this process moves into a child of
/// its own, `spool-worker`. Only the topmost group of a machine is an exception.
package struct DelegatedControlGroup: Sendable {
    /// The names of groups for processes, before the number of the process that made them.
    private static let prefix = "spool-process-"
    private static let ownName = "spool-worker"

    /// The group's directory, below which there are the others.
    package let directory: String

    /// Finds the group of this process, and makes it one that can limit the memory and the processes of its children.
    /// - Parameter root: a directory that has `proc` and `sys`; a test gives one of its own.
    /// - Throws: `Isolation.Refusal` with the reason why that cannot be done here.
    package init(root: String = "") throws {
        guard let path = DelegatedControlGroup.path(in: ControlGroupFile.text("\(root)/proc/self/cgroup") ?? "") else {
            throw Isolation.Refusal(description: "the system has no control groups of version 2")
        }
        // A process that was started by one which had moved itself, such as a worker that was started anew.
        let own = "/" + DelegatedControlGroup.ownName
        let name = path.hasSuffix(own) ? String(path.dropLast(own.count)) : path == "/" ? "" : path
        var mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map { root + $0 + name }
        mounts.removeAll { access("\($0)/cgroup.controllers", F_OK) != 0 }
        guard let directory = mounts.first else {
            throw Isolation.Refusal(description: "its control group \(path) is not below /sys/fs/cgroup")
        }
        self.directory = directory
        let controllers = (ControlGroupFile.text("\(directory)/cgroup.controllers") ?? "").split(whereSeparator: \.isWhitespace)
        for controller in ["memory", "pids"] where !controllers.contains(Substring(controller)) {
            throw Isolation.Refusal(description: "control group \(path) has no controller '\(controller)'")
        }
        try leave(named: path)
        try ControlGroupFile.write("+memory +pids", to: "\(directory)/cgroup.subtree_control")
        removeLeftGroups()
    }

    /// Makes a group whose processes have these limits together.
    /// - Parameters:
    ///   - name: a name that no other group of this process has.
    ///   - memory: bytes, with what they have written into file systems in memory. The system takes back pages of files.
    ///   - processes: processes and threads.
    /// - Throws: `Isolation.Refusal` when the system does not make it.
    package func makeGroup(_ name: String, memory: Int64, processes: Int) throws -> ControlGroup {
        let group = ControlGroup(directory: "\(directory)/\(DelegatedControlGroup.prefix)\(getpid())-\(name)")
        guard mkdir(group.directory, 0o755) == 0 || errno == EEXIST else {
            throw Isolation.Refusal(
                description: "cannot make the control group \(group.directory): \(String(cString: strerror(errno)))")
        }
        do {
            try group.set("memory.max", "\(memory)")
            try group.set("pids.max", "\(processes)")
            // Without its first process, the others of a group would only wait.
            try group.set("memory.oom.group", "1")
            // A machine without swap does not have the file.
            if access("\(group.directory)/memory.swap.max", F_OK) == 0 { try group.set("memory.swap.max", "0") }
        } catch {
            rmdir(group.directory)
            throw error
        }
        return group
    }

    /// Moves this process into a child of the group, unless the group is the topmost one of a machine.
    private func leave(named path: String) throws {
        guard access("\(directory)/cgroup.type", F_OK) == 0 else { return }
        let members = (ControlGroupFile.text("\(directory)/cgroup.procs") ?? "").split(separator: "\n")
        guard members.allSatisfy({ $0 == "\(getpid())" }) else {
            throw Isolation.Refusal(
                description: "other processes are in its control group \(path), so that it cannot make groups below it")
        }
        let own = "\(directory)/\(DelegatedControlGroup.ownName)"
        guard mkdir(own, 0o755) == 0 || errno == EEXIST else {
            throw Isolation.Refusal(description: "cannot make the control group \(own): \(String(cString: strerror(errno)))")
        }
        try ControlGroupFile.write("0", to: "\(own)/cgroup.procs")
    }

    /// Removes the groups of processes that have ended without doing so. A group that has processes stays.
    private func removeLeftGroups() {
        guard let listing = opendir(directory) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard name.hasPrefix(DelegatedControlGroup.prefix) else { continue }
            let number = name.dropFirst(DelegatedControlGroup.prefix.count).prefix { $0 != "-" }
            guard let maker = pid_t(number), maker != getpid(), kill(maker, 0) != 0, errno == ESRCH else { continue }
            rmdir("\(directory)/\(name)")
        }
    }

    /// The group of version 2 in the text of `/proc/self/cgroup`: `0::/system.slice/spool-worker.service`.
    private static func path(in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }
}
