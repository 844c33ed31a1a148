import ArgumentParser
import FarmSettings
import HTTPAPI

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How much clients may ask of the coordinator at once; docs/configuration.md has the other limits, which are fixed.
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

    /// What the command line says.
    var flags: [SettingKey: String?] {
        [
            .connections: connections, .connectionsPerAddress: connectionsPerAddress, .requestsPerToken: requestsPerToken,
            .requestsPerAddress: requestsPerAddress, .uploads: uploads, .statementTimeout: statementTimeout,
        ]
    }

    /// - Throws: `FarmSettings.Fault` for a number out of its range.
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

/// Files and connections that this process may have open.
enum OpenFiles {
    /// Raises the limit to what the system allows: each connection and each upload is a file.
    static func allowMany() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        // Where it fails, the old limit holds, and connections beyond it are refused by the system.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
