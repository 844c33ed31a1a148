/// What went wrong with the database: what kind of fault it is, what the server said, and in which statement.
public struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: String, Sendable {
        /// No connection came about: nobody listens there, or the server refused (see `isWorthRetrying`).
        case connectionFailed
        /// The connection broke, and nothing of the statement lasts: it was not sent, or its transaction was never committed.
        case connectionLost
        /// The connection broke after the statement was sent: it may have been executed or not.
        case outcomeUnknown
        /// SQLSTATE 40001: another transaction was in the way; the whole transaction can be tried again.
        case serializationFailure
        /// SQLSTATE 40P01: the server chose this transaction to end a deadlock; it can be tried again.
        case deadlock
        /// SQLSTATE 55P03: `NOWAIT` or `lock_timeout` met a lock.
        case lockUnavailable
        case uniqueViolation
        case foreignKeyViolation
        case checkViolation
        case notNullViolation
        /// Another constraint, such as an exclusion.
        case otherConstraint
        /// SQLSTATE class 42: the statement itself is wrong, or names what is not there.
        case syntax
        /// SQLSTATE class 22: a value that does not fit its type, a division by zero and the like.
        case invalidValue
        /// SQLSTATE 57014: the server stopped the statement (`statement_timeout`, an administrator). When the caller's own
        /// task is cancelled, `CancellationError` is thrown instead.
        case cancelled
        /// A field is not there or not of the wanted type.
        case decoding
        /// The caller asked for what this client does not do: a zero byte in a text, COPY, a transaction used after its end.
        case misuse
        /// The pool was closed.
        case poolClosed
        /// Anything else the server refused.
        case server
    }

    public var code: Code
    /// The server's five characters, where it sent any (PostgreSQL manual, appendix A).
    public var sqlState: String?
    /// What went wrong, in the server's words where it said something.
    public var message: String
    /// The server's second line, which names the values.
    public var detail: String?
    /// The name of the violated constraint.
    public var constraint: String?
    /// The statement's text.
    public var statement: String?
    /// Which statement of a pipeline it was, counted from 0.
    public var statementIndex: Int?

    public init(
        _ code: Code, _ message: String, sqlState: String? = nil, detail: String? = nil, constraint: String? = nil,
        statement: String? = nil, statementIndex: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.detail = detail
        self.constraint = constraint
        self.statement = statement
        self.statementIndex = statementIndex
    }

    /// Whether the whole transaction, run again from its start, may well succeed.
    public var isConflict: Bool { code == .serializationFailure || code == .deadlock }

    /// Whether an attempt to connect may succeed later. A refused password and a database that does not exist stay so.
    public var isWorthRetrying: Bool {
        guard code == .connectionFailed else { return false }
        guard let sqlState else { return true }
        return !sqlState.hasPrefix("28") && sqlState != "3D000"
    }

    public var description: String {
        var text = message
        if let detail { text += " (\(detail.split(separator: "\n").joined(separator: " ")))" }
        if let sqlState { text += " [SQLSTATE \(sqlState)]" }
        if let statementIndex { text += " in statement \(statementIndex) of a pipeline" }
        if let statement { text += ": \(PostgresError.shortened(statement))" }
        return text
    }

    /// A statement on one line.
    private static func shortened(_ statement: String) -> String {
        let line = statement.split { $0 == "\n" || $0 == " " || $0 == "\t" }.joined(separator: " ")
        return line.count > 300 ? line.prefix(300) + "..." : line
    }
}

extension PostgresError.Code {
    /// What an SQLSTATE means.
    init(sqlState: String) {
        switch sqlState {
        case "40001": self = .serializationFailure
        case "40P01": self = .deadlock
        case "55P03": self = .lockUnavailable
        case "57014": self = .cancelled
        case "23505": self = .uniqueViolation
        case "23503": self = .foreignKeyViolation
        case "23514": self = .checkViolation
        case "23502": self = .notNullViolation
        case _ where sqlState.hasPrefix("23"): self = .otherConstraint
        case _ where sqlState.hasPrefix("42"): self = .syntax
        case _ where sqlState.hasPrefix("22"): self = .invalidValue
        default: self = .server
        }
    }
}
