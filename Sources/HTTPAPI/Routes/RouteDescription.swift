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
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, scopes: [Scope],
        parameters: [PathParameter] = [], headers: [RequestHeader] = [], query: [QueryParameter] = [],
        body: RequestBody? = nil, answers: [RouteAnswer], faults: [FaultCode] = []
    ) {
        self.method = method
        self.path = path
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
    package static let commonFaults: [FaultCode] = [.unauthorized, .forbidden, .tooManyRequests, .unavailable, .internalError]

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

/// A parameter in a route's path.
package struct PathParameter: Hashable, Sendable {
    package var name: String
    package var meaning: String
    /// A value that the route can read. It names nothing that exists.
    package var example: String

    static let export = PathParameter(
        name: "id", meaning: "the export's id", example: "00000000-0000-0000-0000-000000000000")
    static let recording = PathParameter(
        name: "id", meaning: "the recording's id", example: "00000000-0000-0000-0000-000000000000")
    static let job = PathParameter(name: "id", meaning: "the job's number", example: "1")
    static let tenant = PathParameter(name: "name", meaning: "the tenant's name", example: "t")
    static let token = PathParameter(name: "id", meaning: "the token's number", example: "999")
    static let worker = PathParameter(name: "id", meaning: "the worker's id, percent-encoded", example: "w")
    static let draft = PathParameter(
        name: "name",
        meaning: "the draft's name: 1...128 of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`; a letter or a digit is first",
        example: "d")
    static let asset = PathParameter(
        name: "hash", meaning: "the sha256 of the asset's bytes, 64 digits `0-9` and `a-f`",
        example: String(repeating: "0", count: 64))
}

/// A header field that a route reads.
package struct RequestHeader: Hashable, Sendable {
    package var name: String
    package var meaning: String

    init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }

    static let idempotencyKey = RequestHeader(
        "Idempotency-Key",
        "1...255 printable ASCII characters without spaces. A request that repeats the key of an earlier one makes nothing new "
            + "and answers 200 with the export that exists")
    /// The fields by which a file is asked for under conditions or in part.
    static let ofFiles = [
        RequestHeader("Range", "one range of bytes"),
        RequestHeader("If-Range", "the range counts only while the file has this `ETag`"),
        RequestHeader("If-Match", "412 unless the file has one of these `ETag`s"),
        RequestHeader("If-None-Match", "304 if the file has one of these `ETag`s"),
    ]
}

/// A parameter of a route's query.
package struct QueryParameter: Hashable, Sendable {
    package var name: String
    /// The type and range of the values.
    package var values: String
    /// What is used when the parameter is left out; nil where nothing is.
    package var fallback: String?
    package var meaning: String

    init(_ name: String, _ values: String, default fallback: String? = nil, _ meaning: String) {
        self.name = name
        self.values = values
        self.fallback = fallback
        self.meaning = meaning
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type, _ meaning: String
    ) -> QueryParameter where Choice.RawValue == String {
        QueryParameter(name, "one of " + Choice.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "), meaning)
    }

    static let limit = QueryParameter("limit", "1...1000", default: "100", "how many are listed at most")
}

/// The body that a route reads.
package struct RequestBody: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var meaning: String

        init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    package var contentType: String
    package var meaning: String
    /// The fields of a JSON object that is described here; empty for other bodies.
    package var fields: [Field] = []
    /// The fields that the route accepts; nil where another document describes the body.
    package var accepted: Set<String>?

    /// A JSON object with a fixed list of fields.
    static func json<Body: StrictBody>(_ type: Body.Type, _ meaning: String, _ fields: [Field]) -> RequestBody {
        RequestBody(contentType: "application/json", meaning: meaning, fields: fields, accepted: Body.fields)
    }

    /// A JSON document that is described elsewhere.
    static func json(_ meaning: String) -> RequestBody { RequestBody(contentType: "application/json", meaning: meaning) }

    /// Media of any kind; their type is found out from the bytes.
    static func media(_ meaning: String) -> RequestBody {
        RequestBody(contentType: "application/octet-stream", meaning: meaning)
    }
}

/// An answer to a request that was carried out.
package struct RouteAnswer: Hashable, Sendable {
    package var status: Int
    /// nil where the answer has no body.
    package var contentType: String?
    package var meaning: String

    init(_ status: Int, _ contentType: String?, _ meaning: String) {
        self.status = status
        self.contentType = contentType
        self.meaning = meaning
    }

    static func json(_ meaning: String, status: Int = 200) -> RouteAnswer { RouteAnswer(status, "application/json", meaning) }

    /// The answers of a route that sends a file.
    static func file(_ what: String) -> [RouteAnswer] {
        [
            RouteAnswer(200, "of the file", "\(what), with `ETag`"),
            RouteAnswer(206, "of the file", "the part that `Range` names, with `Content-Range`"),
            RouteAnswer(304, nil, "`If-None-Match` names this file"),
        ]
    }
}
