package import ProcessIsolation

/// Enters the sandbox of a rendering process without a job, to find out what the system allows.
package enum SandboxTrial {
    /// - Parameters:
    ///   - user: the numeric user and group that the process becomes; nil for those that started it.
    ///   - controlGroup: the control group that it enters; nil where there is none.
    ///   - store: the directory of the farm's store; nil where there is none.
    /// - Throws: `Isolation.Refusal` when it cannot become the given user.
    package static func run(
        user: (userID: UInt32, groupID: UInt32)?, controlGroup: ControlGroup?, store: String?
    ) throws -> SandboxReport {
        var sandbox = Sandbox(.ofRenderer(OrderedFiles(store: store)), user: user, controlGroup: controlGroup)
        try sandbox.enterNamespaces()
        return try sandbox.dropRights()
    }
}
