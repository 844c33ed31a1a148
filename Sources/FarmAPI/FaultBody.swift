public import DraftModel

/// What a request that did not succeed is answered with: `{"error": {"code", "message", "diagnostics"}}`.
public struct FaultBody: Hashable, Sendable, Codable {
    public struct Fault: Hashable, Sendable, Codable {
        public var code: FaultCode
        /// What is wrong and what to do about it.
        public var message: String
        /// Every fault of the draft or the settings, where those are to blame.
        public var diagnostics: [DraftDiagnostic]?
    }

    public var error: Fault

    public init(_ code: FaultCode, _ message: String, diagnostics: [DraftDiagnostic]? = nil) {
        error = Fault(code: code, message: message, diagnostics: diagnostics)
    }
}

/// The closed list of what can be wrong with a request.
public enum FaultCode: String, CaseIterable, Hashable, Sendable, Codable {
    /// The request cannot be read: bad JSON, an unknown field, a parameter out of its range.
    case badRequest
    /// No token, or one that is unknown or revoked.
    case unauthorized
    /// The token lacks a scope.
    case forbidden
    case notFound, methodNotAllowed
    /// It contradicts what is there already, or the state it is in.
    case conflict
    case tooLarge
    /// The address has too many characters.
    case addressTooLong
    /// Too many header fields, or too long ones.
    case headersTooLarge
    /// The request did not arrive in time.
    case requestTimeout
    /// This token or address asks for more at once than it may; `Retry-After` says when to come back.
    case tooManyRequests
    /// `If-Match` names other bytes than there are.
    case preconditionFailed
    /// A range that the film does not have.
    case badRange
    /// The draft, its settings or its sources are faulty.
    case invalid
    /// The bytes are not those that the address names.
    case hashMismatch
    /// The database or the queue cannot be reached, or the coordinator has too much to do; `Retry-After` says when to come back.
    case unavailable
    case internalError

    /// The HTTP status that goes with it.
    public var status: Int {
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
