import HTTPTypes
import Hummingbird
import NIOCore

/// Follows the draft with server-sent events, for as long as a page is open.
///
///     event: state       the draft has a new state: its revision
///     event: ready       the name of a media file that is there now
///     event: progress    the names of all media files that are being rendered
struct EventRoute: Sendable {
    let pages: OpenPages
    /// The time between comments.
    let keepAlive: Duration

    func add(to router: Router<PreviewRequestContext>) {
        router.get("/events", use: events)
    }

    @Sendable private func events(_ request: Request, _ context: PreviewRequestContext) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                // A browser that is cut off connects again after this time.
                try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                try await pages.withPage { events, page in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            while true {
                                try await Task.sleep(for: keepAlive)
                                page.yield(": still here\n\n")
                            }
                        }
                        defer { group.cancelAll() }
                        for await text in events { try await writer.write(ByteBuffer(string: text)) }
                    }
                }
                try await writer.finish(nil)
            })
    }
}
