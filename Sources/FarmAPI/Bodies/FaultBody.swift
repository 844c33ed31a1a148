package import DraftModel

/// The body of the answer to a failed request: `{"error": {"code", "message", "diagnostics"}}`.
package struct FaultBody: Hashable, Sendable, Codable {
    package struct Fault: Hashable, Sendable, Codable {
        package var code: FaultCode
        /// What is wrong and how to correct it.
        package var message: String
        /// Every error of the draft or the settings, when they are the cause.
        package var diagnostics: [DraftDiagnostic]?
    }

    package var error: Fault

    package init(_ code: FaultCode, _ message: String, diagnostics: [DraftDiagnostic]? = nil) {
        error = Fault(code: code, message: message, diagnostics: diagnostics)
    }
}

/// The closed list of reasons why a request fails.
package enum FaultCode: String, CaseIterable, Hashable, Sendable, Codable {
    /// The request cannot be read: bad JSON, an unknown field, a parameter out of its range.
    case badRequest
    /// The request has no token, or one that is unknown or revoked.
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
