package import HTTPTypes
package import Hummingbird
import Logging
package import NIOCore
import NIOEmbedded
import Synchronization

/// The answer to a request that did not travel over a network.
package struct Answer: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    package let body: ByteBuffer

    /// How many bytes of a request's body come at a time.
    private static let chunk = 32 << 10

    /// Lets a router answer one request.
    /// - Parameter host: the name under which the client asked, with or without a port.
    /// - Throws: what the responder throws while it writes the body. An error before that is status 500.
    package init<Context: RequestContext>(
        of router: Router<Context>, to method: HTTPRequest.Method, _ path: String, host: String = "localhost",
        headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws where Context.Source == ApplicationRequestContextSource {
        var headers = headers
        if let body { headers[.contentLength] = String(body.readableBytes) }
        var rest = body ?? ByteBuffer()
        let (chunks, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
        while let next = rest.readSlice(length: min(rest.readableBytes, Answer.chunk)), next.readableBytes > 0 {
            sender.yield(next)
        }
        sender.finish()
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers),
            body: RequestBody(asyncSequence: chunks))
        let context = Context(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: Logger(label: "request of a test")))
        let response: Response
        do {
            response = try await router.buildResponder().respond(to: request, context: context)
        } catch {
            response = Response(status: .internalServerError)
        }
        let collected = CollectedBody()
        try await response.body.write(collected)
        status = response.status
        self.headers = response.headers
        self.body = collected.bytes
    }
}

/// Keeps what is written to a response.
private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let written = Mutex(ByteBuffer())

    var bytes: ByteBuffer { written.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        written.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
