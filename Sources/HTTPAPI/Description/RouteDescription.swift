import Coordinator
package import FarmAPI
package import HTTPTypes

/// What one route is and does: its address, the scopes that it needs, what it takes, what it answers and how it fails.
///
/// `DescribedRouter` registers a route only together with this value and enforces its scopes. `HTTPReference` makes
/// `docs/http.md` of it, and `AccessTests` and `HTTPReferenceTests` run over all of them.
package struct RouteDescription: Hashable, Sendable {
    package var method: HTTPRequest.Method
    /// The whole path, in which a part that begins with a colon is a parameter: `/v1/exports/:id/film`.
    package var path: String
    /// The name of the operation, which generated clients call their function by, such as `listExports`; no two routes have
    /// the same.
    package var operation: String
    /// What the route does, in one or more sentences, as Markdown.
    package var summary: String
    /// A token needs one of these; `admin` stands for all. A route without scopes needs no token.
    package var scopes: [Scope]
    /// The parameters of the path, in their order.
    package var parameters: [PathParameter]
    package var headers: [RequestHeader]
    package var query: [QueryParameter]
    package var body: RequestBody?
    package var answers: [RouteAnswer]
    /// How the route fails besides `commonFaults`.
    package var faults: [FaultCode]

    package init(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ summary: String, scopes: [Scope],
        parameters: [PathParameter] = [], headers: [RequestHeader] = [], query: [QueryParameter] = [],
        body: RequestBody? = nil, answers: [RouteAnswer], faults: [FaultCode] = []
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.summary = summary
        self.scopes = scopes
        self.parameters = parameters
        self.headers = headers
        self.query = query
        self.body = body
        self.answers = answers
        self.faults = faults
    }

    /// How every route that needs a token can fail.
    package static let commonFaults: [FaultCode] = [.unauthorized, .forbidden] + openFaults
    /// How every route can fail.
    package static let openFaults: [FaultCode] = [.tooManyRequests, .unavailable, .internalError]
    /// How a request fails that the server cannot read in full.
    package static let readingFaults: [FaultCode] = [.addressTooLong, .headersTooLarge, .requestTimeout]

    /// The path of the route with the example of each parameter.
    package var examplePath: String {
        parameters.reduce(path) { $0.replacing(":\($1.name)", with: $1.example) }
    }
}

extension RouteDescription: CustomStringConvertible {
    /// The method and the path with its parameters in capitals, such as `GET /v1/exports/ID`.
    package var description: String {
        let parts = path.split(separator: "/").map { $0.hasPrefix(":") ? $0.dropFirst().uppercased() : String($0) }
        return "\(method.rawValue) /\(parts.joined(separator: "/"))"
    }
}
