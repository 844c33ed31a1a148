import ArgumentParser
package import LocalFarm
import Telemetry
import FoundationEssentials

/// Options for the settings of a farm's process; docs/configuration.md says what each means and its default.
package struct SettingsOptions: ParsableArguments {
    @Option(help: "A YAML file with settings. Default: $SPOOL_CONFIG, else config/spool.yaml where there is one.")
    var config: String?

    @Option(name: .customLong("database-url"), help: "The PostgreSQL database.")
    var databaseURL: String?

    @Option(name: .customLong("redis-url"), help: "The Redis server.")
    var redisURL: String?

    @Option(help: "The farm's store: a directory that all machines share, or s3://bucket/prefix.")
    var store: String?

    @Option(help: "The address of the bucket's service.")
    var storeEndpoint: String?

    @Option(help: "The region of the bucket.")
    var storeRegion: String?

    @Option(help: "Where addresses have the bucket: path or virtualHost.")
    var storeStyle: String?

    @Option(help: "The directory with this machine's copies of a bucket's files.")
    var storeCache: String?

    @Option(help: "Bytes of these copies, such as 50GB.")
    var storeCacheSize: String?

    @Option(help: "Directories that sources named by path may lie in, separated by colons.")
    var allow: String?

    @Option(help: "Patterns of the addresses that sources may be fetched from, separated by commas.")
    var sourceAddresses: String?

    @Option(help: "Private networks that sources may be fetched from all the same, separated by commas.")
    var sourceNetworks: String?

    @Option(help: "A file with the secrets that servers of sources ask for.")
    var sourceCredentials: String?

    @Option(help: "Bytes that a fetched source may have, such as 64GB.")
    var sourceSize: String?

    @Option(help: "Seconds that fetching a source may take.")
    var sourceTime: String?

    @Option(help: "How to write the log: text or json.")
    var logFormat: String?

    @Option(help: "Where to send spans of traces, as OTLP in JSON over HTTP.")
    var traceEndpoint: String?

    package init() {}

    /// All settings, including those that the command adds.
    /// - Throws: `CommandFailure`, a usage error, with every error.
    package func settings(_ more: [SettingKey: String?] = [:]) throws -> FarmSettings {
        var flags: [SettingKey: String] = [:]
        flags[.databaseURL] = databaseURL
        flags[.redisURL] = redisURL
        flags[.store] = store
        flags[.storeEndpoint] = storeEndpoint
        flags[.storeRegion] = storeRegion
        flags[.storeStyle] = storeStyle
        flags[.storeCache] = storeCache
        flags[.storeCacheSize] = storeCacheSize
        flags[.allow] = allow
        flags[.sourceAddresses] = sourceAddresses
        flags[.sourceNetworks] = sourceNetworks
        flags[.sourceCredentials] = sourceCredentials
        flags[.sourceSize] = sourceSize
        flags[.sourceTime] = sourceTime
        flags[.logFormat] = logFormat
        flags[.traceEndpoint] = traceEndpoint
        for (key, value) in more { flags[key] = value }
        let environment = ProcessInfo.processInfo.environment
        let settings = try orUsage {
            try FarmSettings(flags: flags, environment: environment, file: config ?? environment["SPOOL_CONFIG"])
        }
        try orUsage { LogFormat.current = try settings.choice(.logFormat, LogFormat.self) }
        for line in settings.warnings { Terminal.error("warning: \(line)") }
        return settings
    }
}

/// Runs `body` and turns faulty settings into a usage error.
package func orUsage<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let fault as FarmSettings.Fault {
        var failure = CommandFailure("", status: ExitStatus.usage)
        failure.lines = fault.lines.flatMap { ("error: " + $0).split(separator: "\n").map(String.init) }
        throw failure
    }
}
