package import ExportPlan
package import HTTPClient
import FoundationEssentials

/// What may be fetched, from where, and how much of it.
package struct RemotePolicy: Sendable {
    /// The addresses that sources may be fetched from, at every redirect.
    package var addresses: AddressList
    /// Private networks that may be connected to all the same.
    package var networks: [IPNetwork]
    /// The most bytes of a source.
    package var byteLimit: Int64
    /// The longest time that a source may take, all tries together.
    package var timeLimit: Duration
    /// How many redirects are followed for a source.
    package var redirects = 5
    /// The longest time until a connection is made, and the longest time with fewer bytes in a second than `slowest`.
    package var connecting = Duration.seconds(10)
    package var silence = Duration.seconds(15)
    package var slowest = 8192
    /// How often a source is asked for before the job fails, which may be retried later.
    package var tries = 3
    /// The pause after the first try that fails; each further one is twice as long, with jitter.
    package var firstPause = Duration.milliseconds(500)
    package var credentials: SourceCredentials
    /// How buckets are reached.
    package var buckets: BucketAccess

    package init(
        addresses: AddressList = .secure, networks: [IPNetwork] = [], byteLimit: Int64 = 64 << 30,
        timeLimit: Duration = .seconds(3600), credentials: SourceCredentials = SourceCredentials(),
        buckets: BucketAccess = BucketAccess()
    ) {
        self.addresses = addresses
        self.networks = networks
        self.byteLimit = byteLimit
        self.timeLimit = timeLimit
        self.credentials = credentials
        self.buckets = buckets
    }
}

/// Where the service of `s3:` addresses is. Keys come from the environment, as Amazon's tools read them.
package struct BucketAccess: Hashable, Sendable {
    package var region: String
    /// Nil for Amazon's service.
    package var endpoint: String?
    /// `path` or `virtualHost`; nil for what the service usually needs.
    package var style: String?
    package var environment: [String: String]

    package init(
        region: String = "us-east-1", endpoint: String? = nil, style: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.region = region
        self.endpoint = endpoint
        self.style = style
        self.environment = environment
    }
}
