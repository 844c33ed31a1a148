import HTTPTypes
import Hummingbird
import NIOCore

/// Takes the place where a page is, which decides what the engine renders first.
struct PlayheadRoute: Sendable {
    let report: @Sendable (ServerReport) -> Void

    /// The largest body, in bytes.
    private static let limit = 1 << 10

    func add(to router: Router<PreviewRequestContext>) {
        router.post("/playhead", use: playhead)
    }

    @Sendable private func playhead(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        let malformed = PreviewFault(.badRequest, "send the place as JSON: {\"time\": SECONDS, \"playing\": true or false}")
        let bytes: ByteBuffer
        do {
            bytes = try await request.body.collect(upTo: PlayheadRoute.limit)
        } catch is NIOTooManyBytesError {
            throw malformed
        }
        guard let playhead = Playhead(json: bytes.readableBytesView) else { throw malformed }
        report(.playhead(playhead))
        return Response(status: .noContent)
    }
}
