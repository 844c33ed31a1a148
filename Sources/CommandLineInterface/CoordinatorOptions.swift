import ArgumentParser
package import LocalFarm

/// All options of the coordinator. `spool coordinator` and the program `spool-coordinator` have the same.
package struct CoordinatorOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on.")
    var port: String?

    @Option(help: "Who may read /metrics: admin, read or open.")
    var metricsAccess: String?

    @Option(help: "Origins whose pages may use the API from a browser, separated by commas; * for all.")
    var origins: String?

    @OptionGroup var limits: LimitOptions

    @OptionGroup var retention: RetentionOptions

    package init() {}

    /// All settings of the coordinator.
    /// - Throws: `CommandFailure`, a usage error, with every error.
    package func settings() throws -> FarmSettings {
        try options.settings(
            limits.flags.merging(retention.flags) { $1 }.merging([
                .host: host, .port: port, .metricsAccess: metricsAccess, .origins: origins,
            ]) { $1 })
    }
}
