/// A layer of the sandbox of a farm's rendering processes. Each one holds by itself, so that a process that breaks out of
/// one is still in the others.
package enum SandboxLayer: String, CaseIterable, Hashable, Sendable, Codable, CodingKeyRepresentable, Comparable {
    /// It runs as a user of its own, or in a user namespace.
    case user
    /// It has no capabilities.
    case capabilities
    /// No program can give it further privileges.
    case privileges
    /// It has a network without interfaces.
    case network
    /// It sees no other processes.
    case processes
    /// It shares no memory and no queues of System V or POSIX with others.
    case ipc
    /// Its file system has only what its jobs need.
    case files
    /// Landlock forbids it all other files.
    case landlock
    /// It can only make the system calls of a list.
    case systemCalls
    /// A control group of its own limits its memory, with what it shares or keeps in files in memory, and its threads.
    case controlGroup

    package static func < (one: SandboxLayer, other: SandboxLayer) -> Bool { one.rawValue < other.rawValue }
}

/// Which layers of the sandbox hold on a machine.
package struct SandboxReport: Hashable, Sendable, Codable {
    /// For each layer that does not hold, the system's reason.
    package var missing: [SandboxLayer: String]

    package init(missing: [SandboxLayer: String] = [:]) {
        self.missing = missing
    }

    /// The layers that hold, in the order of `SandboxLayer`.
    package var holding: [SandboxLayer] { SandboxLayer.allCases.filter { missing[$0] == nil } }

    /// What is wrong where all of these layers are required; nil where they hold.
    package func complaint(requiring layers: [SandboxLayer]) -> String? {
        let faults = layers.compactMap { layer in missing[layer].map { "\(layer.rawValue) (\($0))" } }
        guard !faults.isEmpty else { return nil }
        return "the sandbox of rendering processes lacks layers that are required here: \(faults.joined(separator: ", "))"
    }
}
