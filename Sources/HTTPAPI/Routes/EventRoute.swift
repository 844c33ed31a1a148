import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import NIOCore
import ServiceLifecycle
import FoundationEssentials

/// Follows one export with server-sent events until it has ended.
///
///     event: export      the export, whenever it has changed
///     event: happened    an event of the export, with its number as id: `Last-Event-ID` continues from there
///
/// The stream ends soon after its token was revoked or has expired. A client that is cut off connects again. While the database does not answer, the stream is only delayed.
struct EventRoute {
    let store: any ExportStore
    let tokens: any TenantStore
    let notifier: ExportNotifier
    /// How often the store is read when no notification arrives.
    let interval: Duration
    let streams: Slots
    /// How often it is looked whether the token is still good.
    var tokenInterval = Duration.seconds(5)

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id/events", "followExport",
                "Follows an export until it has ended. The event `export` holds the export, whenever it has changed; `happened` "
                    + "holds one event of it, with its number as `id`. Comments keep the connection alive.",
                scopes: [.read], parameters: [.export],
                headers: [RequestHeader("Last-Event-ID", "the events after this number are sent; by default all")],
                answers: [RouteAnswer(200, "text/event-stream", "the events")], faults: [.notFound]), head: head, use: events)
    }

    private static let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]

    /// The head of the response to GET. Its length is unknown, so it has no Content-Length.
    @Sendable private func head(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        try await find(try context.exportID(), caller)
        return Response(status: .ok, headers: EventRoute.headers, body: ResponseBody { try await $0.finish(nil) })
    }

    private func find(_ id: ExportID, _ caller: Caller) async throws {
        guard try await store.export(id, tenant: caller.visibleTenant) != nil else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
    }

    @Sendable private func events(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.exportID()
        try await find(id, caller)
        let stream = try streams.take(context.tokenHash ?? "", what: "streams of events", whose: "a token")
        let after = request.headers[.lastEventID].flatMap(Int64.init) ?? 0
        return Response(
            status: .ok, headers: EventRoute.headers,
            body: ResponseBody { writer in
                try await notifier.withSignal(id) { signal in
                    try await follow(
                        id, tenant: caller.visibleTenant, token: context.tokenHash, after: after, signal, writer: &writer)
                }
                try await writer.finish(nil)
                withExtendedLifetime(stream) {}
            })
    }

    private func follow(
        _ id: ExportID, tenant: Int64?, token: String?, after: Int64, _ signal: WakeSignal,
        writer: inout any ResponseBodyWriter
    ) async throws {
        var tokenCheck = ContinuousClock.now
        var seen = after
        var last: Export?
        var lastWrite = ContinuousClock.now
        while !Task.isShuttingDownGracefully {
            var text = ""
            do {
                if let token, tokenCheck.duration(to: .now) >= tokenInterval {
                    tokenCheck = .now
                    guard try await tokens.principal(tokenHash: token) != nil else { return }
                }
                // Read the export before its events: then the events include everything that happened before its end.
                guard let export = try await store.export(id, tenant: tenant) else { return }
                var page: [ExportEvent]
                repeat {
                    page = try await store.events(of: id, after: seen, limit: 100)
                    for event in page { text += try EventRoute.text("happened", id: event.id, event) }
                    seen = page.last?.id ?? seen
                } while page.count == 100
                if export != last { text += try EventRoute.text("export", id: nil, export) }
                last = export
            } catch let error as FarmError where error.code == .unavailable {
                text += ": the database cannot be reached\n\n"
            }
            if text.isEmpty, lastWrite.duration(to: .now) > .seconds(15) { text = ": still here\n\n" }
            if !text.isEmpty {
                try await writer.write(ByteBuffer(string: text))
                lastWrite = .now
            }
            if last?.state.isTerminal == true { return }
            _ = await signal.wait(atMost: interval)
            try Task.checkCancellation()
        }
    }

    private static func text(_ name: String, id: Int64?, _ value: some Encodable) throws -> String {
        ServerSentEvent(name, id: id.map { "\($0)" }, data: String(decoding: try FarmJSON.encode(value), as: UTF8.self)).text
    }
}

extension HTTPField.Name {
    static let lastEventID: HTTPField.Name = {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("this is a header's name") }
        return name
    }()
}
