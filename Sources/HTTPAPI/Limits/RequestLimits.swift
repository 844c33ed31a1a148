/// How much one client, one token and all of them together may ask of the API, and how long they may take.
/// `docs/configuration.md` lists every number. A request beyond a limit is refused with a reason and does not delay
/// others.
package struct RequestLimits: Sendable {
    // MARK: The form of a request

    /// The size of a request's address and header fields together, in bytes.
    package var headerBytes = 32 << 10
    /// The size of one header field, in bytes.
    package var headerFieldBytes = 16 << 10
    /// The number of header fields in a request.
    package var headerCount = 100
    /// The size of a request's address, in bytes.
    package var addressBytes = 8 << 10

    // MARK: Times

    /// How long a request's head may take, from its first byte, or from the opening of the connection, until it is
    /// complete.
    package var headTime = Duration.seconds(10)
    /// How long a connection may stay open without a request after the answer to the last one.
    package var idleTime = Duration.seconds(75)
    /// How long a body may pause while the server waits for it.
    package var bodyPause = Duration.seconds(30)
    /// How long a body may take, unless it is that of an upload.
    package var documentTime = Duration.seconds(120)
    /// How long an upload may take.
    package var uploadTime = Duration.seconds(24 * 3600)
    /// The average number of bytes per second that a body must reach, once `bodyPause` has passed.
    package var bodyRate = 1024
    /// How long a client may stop reading an answer.
    package var answerPause = Duration.seconds(60)
    /// How long a client may go on sending a body after its request was answered.
    package var lingerTime = Duration.seconds(5)
    /// How long a request may take in all, from its first byte to the end of its answer. It is an hour longer than an
    /// upload, and counts whoever is waited for.
    package var requestTime = Duration.seconds(25 * 3600)

    // MARK: Numbers

    /// The number of open connections.
    package var connections = 2000
    /// The number of open connections of one address.
    package var connectionsPerAddress = 256
    /// Requests per second of one address, on average; bursts of ten times as many are allowed.
    package var requestsPerSecondPerAddress = 400
    /// Requests per second of one token, on average; bursts of ten times as many are allowed.
    package var requestsPerSecondPerToken = 200
    /// The number of requests of one token that run at the same time.
    package var requestsAtOncePerToken = 64
    /// The number of uploads that run at the same time.
    package var uploads = 64
    /// The number of uploads of one tenant that run at the same time.
    package var uploadsPerTenant = 16
    /// The memory for all JSON bodies, in bytes, from their reading to their answers.
    package var bodyBytes = 256 << 20
    /// The memory for the JSON bodies of one tenant, in bytes. A single body is never larger than this.
    package var bodyBytesPerTenant = 64 << 20
    /// The number of open event streams.
    package var streams = 1000
    /// The number of open event streams of one token.
    package var streamsPerToken = 64

    package init() {}
}
