package import DraftModel

/// The body of the answer to a failed request: a problem document (RFC 9457) with the members `code`, `request` and
/// `diagnostics` beside the standard ones.
package struct Problem: Hashable, Sendable, Codable {
    /// The address of the code's meaning on the coordinator's page `/docs`.
    package var type: String
    /// What the code means.
    package var title: String
    package var status: Int
    /// What is wrong and how to correct it.
    package var detail: String
    package var code: FaultCode
    /// The id of the request; nil where the server could not read one.
    package var request: String?
    /// Every error of the draft or the settings, when they are the cause.
    package var diagnostics: [DraftDiagnostic]?

    package init(_ code: FaultCode, _ detail: String, diagnostics: [DraftDiagnostic]? = nil, request: String? = nil) {
        type = "/docs#\(code.rawValue)"
        title = code.meaning
        status = code.status
        self.detail = detail
        self.code = code
        self.request = request
        self.diagnostics = diagnostics
    }
}

/// The closed list of reasons why a request fails.
package enum FaultCode: String, CaseIterable, Hashable, Sendable, Codable {
    /// The request cannot be read: bad JSON, an unknown field, a parameter out of its range.
    case badRequest
    /// The request has no token, or one that is unknown, expired or revoked.
    case unauthorized
    /// The token lacks a scope, or the request has a priority above the tenant's cap.
    case forbidden
    case notFound, methodNotAllowed
    /// The request contradicts existing data or the state that it is in.
    case conflict
    case tooLarge
    /// The request's address is too long.
    case addressTooLong
    /// There are too many header fields, or they are too long.
    case headersTooLarge
    /// The request did not arrive in time.
    case requestTimeout
    /// This token or address sends too many requests at once; `Retry-After` says when to repeat the request.
    case tooManyRequests
    /// `If-Match` names other bytes than the current ones.
    case preconditionFailed
    /// The range lies beyond the end of the film.
    case badRange
    /// The draft, its settings or its sources have errors.
    case invalid
    /// The bytes do not have the hash that the address names.
    case hashMismatch
    /// The database or the queue cannot be reached, or the coordinator is overloaded; `Retry-After` says when to repeat
    /// the request.
    case unavailable
    case internalError

    /// The HTTP status of answers with this code.
    package var status: Int {
        switch self {
        case .badRequest: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .conflict: 409
        case .preconditionFailed: 412
        case .tooLarge: 413
        case .addressTooLong: 414
        case .badRange: 416
        case .invalid, .hashMismatch: 422
        case .tooManyRequests: 429
        case .headersTooLarge: 431
        case .unavailable: 503
        case .internalError: 500
        }
    }
}

extension FaultCode {
    /// One sentence without its full stop, as Markdown.
    package var meaning: String {
        switch self {
        case .badRequest: "the request cannot be read: bad JSON, an unknown field, a parameter out of its range"
        case .unauthorized: "the request has no token, or one that is unknown, expired or revoked"
        case .forbidden: "the token lacks the scope, or the priority is above the tenant's cap"
        case .notFound: "there is no such thing, or it belongs to another tenant"
        case .methodNotAllowed: "the address does not know the method"
        case .conflict: "the request contradicts what exists or the state that it is in"
        case .tooLarge: "the body is larger than its limit"
        case .addressTooLong: "the request's address is too long"
        case .headersTooLarge: "there are too many header fields, or they are too long"
        case .requestTimeout: "the request did not arrive in time"
        case .tooManyRequests: "this token, tenant or address asks for too much at a time"
        case .preconditionFailed: "`If-Match` names other bytes than the current ones"
        case .badRange: "the range lies beyond the end of the file"
        case .invalid: "the draft, its settings or its sources have errors, which `diagnostics` lists"
        case .hashMismatch: "the bytes do not have the hash that the address names"
        case .unavailable: "the database, the queue or the storage cannot be reached, or the coordinator is overloaded"
        case .internalError: "a fault of the farm; the coordinator's log says more"
        }
    }
}
