import HTTPTypes
import Hummingbird
import Logging
import FoundationEssentials

/// Gives every request an id, which its answer and the log have: the client's own, if it sends one, or a new one.
struct RequestIdentity: RouterMiddleware {
    typealias Context = FarmRequestContext

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        let given = request.headers[.requestID].flatMap { RequestIdentity.isAllowed($0) ? $0 : nil }
        let id = given ?? UUID().uuidString.lowercased()
        var context = context
        context.requestID = id
        context.logger[metadataKey: "request"] = "\(id)"
        var response = try await next(request, context)
        response.headers[.requestID] = id
        return response
    }

    /// An id goes into logs, so it is short and plain.
    private static func isAllowed(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension HTTPField.Name {
    static let requestID = parsed("X-Request-Id")
}
