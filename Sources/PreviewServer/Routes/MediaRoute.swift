import HTTPTypes
import Hummingbird
import NIOCore

/// Sends media files. A file that is not there yet is waited for, and the engine is told that somebody wants it.
struct MediaRoute: Sendable {
    let directory: PreviewDirectory
    let waiting: WaitingRequests
    /// The longest wait.
    let limit: Duration
    let report: @Sendable (ServerReport) -> Void

    func add(to router: Router<PreviewRequestContext>) {
        router.get("/media/:file", use: file)
    }

    @Sendable private func file(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        let name = try context.fileName()
        let path = directory.media(name)
        // A file's content never changes.
        var headers: HTTPFields = [.contentType: "video/mp4", .cacheControl: "private, max-age=31536000, immutable"]
        if !directory.hasFile(path) {
            try await request.whileConnected(context) { try await wait(for: name, at: path) }
            if context.isOverNetwork { headers[.connection] = "close" }
        }
        return Response(status: .ok, headers: headers, body: try await FileIO().loadFile(path: path, context: context))
    }

    /// - Throws: `PreviewFault` where the file does not come; `CancellationError` when the client has hung up.
    @Sendable private func wait(for name: PreviewFileName, at path: String) async throws {
        let outcome = await waiting.wait(for: name, atMost: limit) {
            directory.hasFile(path)
        } want: {
            report(.want(name))
        }
        try Task.checkCancellation()
        switch outcome {
        case .ready: return
        case .failed(let message): throw PreviewFault(.failed, message)
        case .ended: throw PreviewFault(.notReady, "the preview has ended; start 'spool preview' again")
        case nil:
            throw PreviewFault(.late, "'\(name.text)' was not rendered within \(limit.components.seconds) s; ask for it again")
        }
    }
}
