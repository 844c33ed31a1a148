/// How much one client, one token and all of them together may ask of the API, and how long they may take. Every number is in
/// `docs/configuration.md`; what is asked beyond it is refused with a reason, and delays nobody else.
public struct RequestLimits: Sendable {
    // MARK: The form of a request

    /// Bytes of a request's address and header fields together.
    public var headerBytes = 32 << 10
    /// Bytes of one header field.
    public var headerFieldBytes = 16 << 10
    /// Header fields of a request.
    public var headerCount = 100
    /// Bytes of a request's address.
    public var addressBytes = 8 << 10

    // MARK: Times

    /// From the first byte of a request, or from the opening of the connection, until its head is complete.
    public var headTime = Duration.seconds(10)
    /// How long a connection may stay open without a request after the answer to the last one.
    public var idleTime = Duration.seconds(75)
    /// How long a body may pause while the server waits for it.
    public var bodyPause = Duration.seconds(30)
    /// How long a body may take, unless it is that of an upload.
    public var documentTime = Duration.seconds(120)
    /// How long an upload may take.
    public var uploadTime = Duration.seconds(24 * 3600)
    /// Bytes of a body that have to arrive in each second on average, once `bodyPause` has passed.
    public var bodyRate = 1024
    /// How long a client may take nothing of an answer.
    public var answerPause = Duration.seconds(60)
    /// How long a client may go on sending a body after it was answered.
    public var lingerTime = Duration.seconds(5)

    // MARK: Numbers

    /// Connections that are open at a time.
    public var connections = 2000
    /// Connections of one address that are open at a time.
    public var connectionsPerAddress = 256
    /// Requests of one address in a second, on average; ten times as many may come at once.
    public var requestsPerSecondPerAddress = 400
    /// Requests of one token in a second, on average; ten times as many may come at once.
    public var requestsPerSecondPerToken = 200
    /// Requests of one token that are answered at a time.
    public var requestsAtOncePerToken = 64
    /// Uploads under way at a time.
    public var uploads = 64
    /// Uploads of one tenant under way at a time.
    public var uploadsPerTenant = 16
    /// Bytes of JSON bodies that are held in memory at a time, from their reading to their answers.
    public var bodyBytes = 256 << 20
    /// Bytes of JSON bodies of one tenant that are held in memory at a time. One body is never larger than this.
    public var bodyBytesPerTenant = 64 << 20
    /// Streams of events that are open at a time.
    public var streams = 1000
    /// Streams of events of one token that are open at a time.
    public var streamsPerToken = 64

    public init() {}
}
