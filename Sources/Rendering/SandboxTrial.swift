package import ProcessIsolation

/// Enters the sandbox of a rendering process without a job, to find out what the system allows.
package enum SandboxTrial {
    /// - Parameter user: the numeric user and group that the process becomes; nil for those that started it.
    /// - Throws: `Isolation.Refusal` when it cannot become the given user.
    package static func run(user: (userID: UInt32, groupID: UInt32)?) throws -> SandboxReport {
        var sandbox = Sandbox(.ofRenderer(OrderedFiles()), user: user)
        sandbox.enterNamespaces()
        return try sandbox.dropRights()
    }
}
