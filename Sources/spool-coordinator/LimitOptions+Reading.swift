import CommandLineInterface
import HTTPAPI
import LocalFarm

/// The limits of the HTTP API are read here and not beside their options, because only this program knows the API.
extension LimitOptions {
    /// The API's limits, by the settings.
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
