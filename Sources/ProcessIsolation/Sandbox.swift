import CProcessIsolation
import Glibc

/// Puts this process into a sandbox, for good, before it opens the first file of a stranger. It has to be used while the
/// process has one thread.
///
/// Where the system does not allow a layer, as in many containers, the other layers still apply, and the report says why.
package struct Sandbox {
    private var view: FileView
    private let user: (userID: UInt32, groupID: UInt32)?
    private let controlGroup: ControlGroup?
    private var missing: [SandboxLayer: String] = [:]

    /// - Parameters:
    ///   - user: the numeric user and group that the process becomes, which only root can; nil for those that started it.
    ///   - controlGroup: the group that limits the process; nil where its parent has made none.
    ///   - omitted: layers that are left out, as tests do that attack the others.
    package init(
        _ view: FileView, user: (userID: UInt32, groupID: UInt32)? = nil, controlGroup: ControlGroup? = nil,
        omitting omitted: [SandboxLayer] = []
    ) {
        self.view = view
        self.controlGroup = controlGroup
        self.user = omitted.contains(.user) ? nil : user
        if controlGroup == nil { missing[.controlGroup] = "it was started without one" }
        for layer in omitted { missing[layer] = "left out" }
    }

    /// Enters the control group, and namespaces of its own. The calling process is left behind: it waits for the one that goes on, and ends like it.
    /// - Throws: `Isolation.Refusal` when the system has no room for the processes of a namespace.
    package mutating func enterNamespaces() throws {
        // While it can still reach the group's files. What it starts from now on is in the group, too.
        if let controlGroup { apply(.controlGroup) { controlGroup.enter() } }
        if geteuid() == 0, user == nil, missing[.user] == nil { missing[.user] = "it runs as root" }
        var failures = spool_namespaces(
            network: wanted(.network), ipc: wanted(.ipc), files: wanted(.files), processes: wanted(.processes))
        spool_enter_namespaces(&failures)
        note(.network, failures.network)
        note(.ipc, failures.ipc)
        if geteuid() != 0, [failures.network, failures.ipc, failures.files, failures.processes].allSatisfy({ $0 != 0 }) {
            note(.user, failures.network)
        }
        note(.processes, failures.processes)
        if failures.processes == 0 {
            let code = spool_begin_process_namespace()
            guard code == 0 else {
                throw Isolation.Refusal(
                    description: "cannot start a process: \(String(cString: strerror(code))); raise the limit on processes")
            }
        }
        let hasOwnProcesses: Int32 = missing[.processes] == nil ? 1 : 0
        note(.files, failures.files == 0 ? view.withC { spool_enter_file_view($0, hasOwnProcesses) } : failures.files)
        if hasOwnFiles { view.writable.append(Sandbox.temporaryDirectory) }
    }

    /// The directory for temporary files where the process has a file system of its own.
    package static let temporaryDirectory = "/tmp"

    /// Whether the process has a file system of its own.
    package var hasOwnFiles: Bool { missing[.files] == nil }

    /// Drops all rights that the process still has.
    /// - Returns: which layers hold.
    /// - Throws: `Isolation.Refusal` when it cannot become the given user.
    package mutating func dropRights() throws -> SandboxReport {
        if let user { try Isolation.become(user: user.userID, group: user.groupID) }
        apply(.capabilities) { spool_drop_capabilities() }
        apply(.privileges) { spool_no_new_privileges() }
        let view = view
        // Its memory and environment are hidden from other processes of the same user, of other namespaces included.
        _ = spool_hide()
        apply(.landlock) { view.withC { spool_limit_to_files($0) } }
        apply(.systemCalls) { spool_allow_system_calls() }
        return SandboxReport(missing: missing)
    }

    /// 0 for a layer that is not left out.
    private func wanted(_ layer: SandboxLayer) -> Int32 { missing[layer] == nil ? 0 : ECANCELED }

    private mutating func apply(_ layer: SandboxLayer, _ call: () -> Int32) {
        if missing[layer] == nil { note(layer, call()) }
    }

    private mutating func note(_ layer: SandboxLayer, _ failure: Int32) {
        if failure != 0, missing[layer] == nil { missing[layer] = String(cString: strerror(failure)) }
    }
}
