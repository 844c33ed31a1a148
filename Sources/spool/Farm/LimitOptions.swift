import ArgumentParser
import LocalFarm
import HTTPAPI
import Glibc

/// Options for the coordinator's limits on requests. docs/configuration.md lists the other limits, which are fixed.
struct LimitOptions: ParsableArguments {
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

    /// The settings that the command line gives.
    var flags: [SettingKey: String?] {
        [
            .connections: connections, .connectionsPerAddress: connectionsPerAddress, .requestsPerToken: requestsPerToken,
            .requestsPerAddress: requestsPerAddress, .uploads: uploads, .statementTimeout: statementTimeout,
        ]
    }

    /// - Throws: `FarmSettings.Fault` for a number outside of its range.
    static func read(_ settings: FarmSettings) throws -> (options: FarmService.Options, statementTimeout: Duration) {
        var options = FarmService.Options()
        options.requests.connections = try settings.integer(.connections, in: 1...100_000)
        options.requests.connectionsPerAddress = try settings.integer(.connectionsPerAddress, in: 1...100_000)
        options.requests.requestsPerSecondPerToken = try settings.integer(.requestsPerToken, in: 1...100_000)
        options.requests.requestsPerSecondPerAddress = try settings.integer(.requestsPerAddress, in: 1...100_000)
        options.requests.uploads = try settings.integer(.uploads, in: 1...10_000)
        options.requests.uploadsPerTenant = max(1, options.requests.uploads / 4)
        return (options, .seconds(try settings.integer(.statementTimeout, in: 1...3600)))
    }
}
