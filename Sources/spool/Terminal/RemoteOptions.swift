import ArgumentParser
import CommandLineInterface
import ExportPlan
import RemoteSources
import FoundationEssentials

/// Options for sources that are fetched from addresses.
struct RemoteOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-address"),
        help: ArgumentHelp(
            "Addresses that sources may be fetched from beside https://*, such as http://host:8080/ or s3://bucket/; may be "
                + "repeated.", valueName: "pattern"))
    var addresses: [String] = []

    @Option(
        name: .customLong("allow-network"),
        help: ArgumentHelp(
            "A private network that sources may be fetched from, such as 192.168.0.0/16; may be repeated.", valueName: "network"))
    var networks: [String] = []

    @Option(help: "A file with the secrets that servers of sources ask for. Default: $SPOOL_SOURCE_CREDENTIALS.")
    var sourceCredentials: String?

    /// - Throws: `CommandFailure`, a usage error.
    func policy() throws -> RemotePolicy {
        try orUsage {
            let environment = ProcessInfo.processInfo.environment
            return RemotePolicy(
                addresses: AddressList(AddressList.secure.patterns + (try AddressList.patterns(addresses))),
                networks: try RemotePolicy.networks(networks),
                credentials: try RemotePolicy.credentials(sourceCredentials ?? environment["SPOOL_SOURCE_CREDENTIALS"] ?? ""),
                buckets: BucketAccess(
                    region: environment["SPOOL_STORE_REGION"] ?? environment["AWS_REGION"] ?? "us-east-1",
                    endpoint: environment["SPOOL_STORE_ENDPOINT"], style: environment["SPOOL_STORE_STYLE"]))
        }
    }
}
