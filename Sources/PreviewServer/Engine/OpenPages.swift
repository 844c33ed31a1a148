import Synchronization

/// The streams of events to open pages.
final class OpenPages: Sendable {
    /// An event of a page (https://html.spec.whatwg.org/#server-sent-events).
    enum Event: Hashable, Sendable {
        /// `state.json` was replaced.
        case state(revision: Int)
        /// A media file is there.
        case ready(PreviewFileName)
        /// All media files that are being rendered.
        case progress(busy: [PreviewFileName])

        /// The event as it is sent. Names need no escapes.
        var text: String {
            switch self {
            case .state(let revision): "event: state\ndata: {\"revision\":\(revision)}\n\n"
            case .ready(let file): "event: ready\ndata: {\"file\":\"\(file.text)\"}\n\n"
            case .progress(let busy):
                "event: progress\ndata: {\"busy\":[\(busy.map { "\"\($0.text)\"" }.joined(separator: ","))]}\n\n"
            }
        }
    }

    private struct State {
        var pages: [Int: AsyncStream<String>.Continuation] = [:]
        var next = 0
        var revision: Int?
        var busy: [PreviewFileName] = []
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// The number of open pages.
    var count: Int { state.withLock { $0.pages.count } }

    /// Tells all pages.
    func tell(_ event: Event) {
        let pages = state.withLock { state in
            switch event {
            case .state(let revision): state.revision = revision
            case .progress(let busy): state.busy = busy
            case .ready: break
            }
            return Array(state.pages.values)
        }
        for page in pages { page.yield(event.text) }
    }

    /// Runs `body` with the events of a page. They begin with the state and the progress of now, so that a page which was
    /// cut off misses nothing.
    /// - Parameter body: gets the stream, which ends with `end()`, and what adds a text to it.
    func withPage(
        _ body: (AsyncStream<String>, AsyncStream<String>.Continuation) async throws -> Void
    ) async rethrows {
        let (events, page) = AsyncStream.makeStream(of: String.self)
        let number = state.withLock { state in
            state.next += 1
            if let revision = state.revision { page.yield(Event.state(revision: revision).text) }
            page.yield(Event.progress(busy: state.busy).text)
            if state.hasEnded {
                page.finish()
            } else {
                state.pages[state.next] = page
            }
            return state.next
        }
        defer { state.withLock { $0.pages[number] = nil } }
        try await body(events, page)
    }

    /// Ends all streams, and those that begin later.
    func end() {
        let pages = state.withLock { state in
            state.hasEnded = true
            return Array(state.pages.values)
        }
        for page in pages { page.finish() }
    }
}
