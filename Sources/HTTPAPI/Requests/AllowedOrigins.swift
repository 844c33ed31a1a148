import HTTPTypes
import Hummingbird

/// Lets pages of other origins use the API from a browser (https://fetch.spec.whatwg.org/#http-cors-protocol). A request
/// from an origin that is not allowed is answered as always, but the browser keeps the answer from the page.
struct AllowedOrigins: RouterMiddleware {
    typealias Context = FarmRequestContext

    private static let exposed = [
        "ETag", "Location", "Retry-After", "X-Request-Id", "RateLimit", "RateLimit-Policy", "Draft-Revision", "Content-Range",
    ]

    private let origins: Set<String>
    private let headers = CORSMiddleware<FarmRequestContext>(
        allowOrigin: .originBased,
        allowHeaders: [
            .accept, .authorization, .contentType, .ifMatch, .ifNoneMatch, .range, .idempotencyKey, .requestID, .assetName,
            .lastEventID,
        ],
        allowMethods: [.get, .head, .post, .put, .patch, .delete], exposedHeaders: AllowedOrigins.exposed,
        maxAge: .hours(1))

    /// - Parameter origins: such as `https://studio.example`; `*` allows every origin.
    init(_ origins: [String]) {
        self.origins = Set(origins)
    }

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let origin = request.headers[.origin], origins.contains("*") || origins.contains(origin) else {
            return try await next(request, context)
        }
        var response = try await headers.handle(request, context: context, next: next)
        response.headers[.accessControlExposeHeaders] = AllowedOrigins.exposed.joined(separator: ", ")
        return response
    }
}
