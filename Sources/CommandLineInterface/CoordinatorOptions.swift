import ArgumentParser
package import LocalFarm

/// All options of the coordinator. `spool coordinator` and the program `spool-coordinator` have the same.
package struct CoordinatorOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on.")
    var port: String?

    @Option(help: "The file with the certificate of the API (PEM).")
    var tlsCertificate: String?

    @Option(help: "The file with the certificate's private key (PEM).")
    var tlsKey: String?

    @Option(help: "Who may read /metrics: admin, read or open.")
    var metricsAccess: String?

    @Option(help: "Origins whose pages may use the API from a browser, separated by commas; * for all.")
    var origins: String?

    @Option(help: "Patterns of the addresses that webhooks may have, separated by commas.")
    var receiverAddresses: String?

    @Option(help: "Private networks that webhooks and destinations may be in, separated by commas.")
    var receiverNetworks: String?

    @Option(help: "A file with the places that films may be sent to.")
    var destinations: String?

    @Option(help: "Seconds that a job waits for a worker that can do it.")
    var capableWorkerWait: String?

    @OptionGroup var limits: LimitOptions

    @OptionGroup var retention: RetentionOptions

    package init() {}

    /// All settings of the coordinator.
    /// - Throws: `CommandFailure`, a usage error, with every error.
    package func settings() throws -> FarmSettings {
        try options.settings(
            limits.flags.merging(retention.flags) { $1 }.merging([
                .host: host, .port: port, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey, .metricsAccess: metricsAccess,
                .origins: origins,
                .receiverAddresses: receiverAddresses, .receiverNetworks: receiverNetworks,
                .destinations: destinations, .capableWorkerWait: capableWorkerWait,
            ]) { $1 })
    }
}
