import ContentHashing
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Vocabulary
import FoundationEssentials

/// The routes of `/v1` as the dashboard's pages ask them: within the process, for the caller of the page.
///
/// A page shows and does only what the same token could ask of the API. Scopes, tenants, limits, idempotency keys and the
/// operators' log are those of the routes, which this calls with the page's own request context.
struct OwnRoutes: Sendable {
    let routes: any HTTPResponder<FarmRequestContext>
    /// That of the page, with the caller.
    let context: FarmRequestContext

    /// - Parameters:
    ///   - path: the parts of the path behind `/v1`.
    ///   - headers: those of the route.
    func send(
        _ method: HTTPRequest.Method, _ path: [String], query: [(String, String?)] = [], headers: HTTPFields = [:],
        body: Data? = nil
    ) async throws -> Response {
        let parameters = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded())" } }
        let address =
            "/v1/" + path.map { $0.percentEncoded() }.joined(separator: "/")
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        var headers = headers
        if let body { headers[.contentLength] = "\(body.count)" }
        let request = Request(
            head: HTTPRequest(method: method, scheme: nil, authority: nil, path: address, headerFields: headers),
            body: Hummingbird.RequestBody(buffer: body.map { ByteBuffer(bytes: $0) } ?? ByteBuffer()))
        var context = context
        // Requests are counted by the page's route, whose name this is.
        context.coreContext.endpointPath = EndpointPath()
        return try await routes.respond(to: request, context: context)
    }

    /// The answer of a route as a value.
    func get<Value: Decodable>(
        _ type: Value.Type, _ path: String..., query: [(String, String?)] = []
    ) async throws -> Value {
        try FarmJSON.decode(type, from: try await data(.get, path, query: query))
    }

    /// Does what a POST, PATCH or DELETE does.
    /// - Parameters:
    ///   - once: a text that repetitions of the same form have. A POST is carried out once for it.
    ///   - body: the body as JSON.
    /// - Returns: the answer.
    @discardableResult
    func change(
        _ method: HTTPRequest.Method, _ path: String..., once: String? = nil, body: (any Encodable & Sendable)? = nil
    ) async throws -> Data {
        let data = try body.map { try FarmJSON.encode($0) }
        var headers: HTTPFields = [:]
        if method == .post, let once {
            // The key belongs to this action, because a page has many forms.
            let content = "\(once)\n\(path.joined(separator: "/"))\n".utf8
            headers[.idempotencyKey] = "dashboard-" + ContentHash.of(Array(content) + Array(data ?? Data()))
        }
        return try await self.data(method, path, headers: headers, body: data)
    }

    private func data(
        _ method: HTTPRequest.Method, _ path: [String], query: [(String, String?)] = [], headers: HTTPFields = [:],
        body: Data? = nil
    ) async throws -> Data {
        let response = try await send(method, path, query: query, headers: headers, body: body)
        let bytes = try await response.collectedBody()
        guard response.status.kind == .successful else {
            throw RequestFault(.internalError, "the route /v1/\(path.joined(separator: "/")) answered \(response.status.code)")
        }
        return Data(bytes.readableBytesView)
    }
}
