import ArgumentParser
package import LocalFarm

/// Options for the coordinator's limits on requests. docs/configuration.md lists the other limits, which are fixed.
package struct LimitOptions: ParsableArguments {
    @Option(help: "Connections at a time.")
    var connections: String?

    @Option(help: "Connections of one address at a time.")
    var connectionsPerAddress: String?

    @Option(help: "Requests of one token in a second.")
    var requestsPerToken: String?

    @Option(help: "Requests of one address in a second.")
    var requestsPerAddress: String?

    @Option(help: "Uploads at a time.")
    var uploads: String?

    @Option(help: "Seconds that a statement of the API may take in the database.")
    var statementTimeout: String?

    package init() {}

    /// The settings that the command line gives.
    package var flags: [SettingKey: String?] {
        [
            .connections: connections, .connectionsPerAddress: connectionsPerAddress, .requestsPerToken: requestsPerToken,
            .requestsPerAddress: requestsPerAddress, .uploads: uploads, .statementTimeout: statementTimeout,
        ]
    }
}
