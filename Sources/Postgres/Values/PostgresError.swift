/// A database error: its kind, the server's message, and the statement.
package struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No connection was made: no server listens there, or the server refused (see `isWorthRetrying`).
        case connectionFailed
        /// The connection broke, and the statement has no effect: it was not sent, or its transaction was never committed.
        case connectionLost
        /// The connection broke after the statement was sent: it may have been executed or not.
        case outcomeUnknown
        /// SQLSTATE 40001: another transaction conflicted; the whole transaction can be retried.
        case serializationFailure
        /// SQLSTATE 40P01: the server chose this transaction to end a deadlock; it can be retried.
        case deadlock
        /// SQLSTATE 55P03: `NOWAIT` or `lock_timeout` met a lock.
        case lockUnavailable
        case uniqueViolation
        case foreignKeyViolation
        case checkViolation
        case notNullViolation
        /// Another constraint, such as an exclusion.
        case otherConstraint
        /// SQLSTATE class 42: the statement itself is wrong, or names something that does not exist.
        case syntax
        /// SQLSTATE class 22: a value that does not fit its type, a division by zero and the like.
        case invalidValue
        /// SQLSTATE 57014: the server stopped the statement (`statement_timeout`, an administrator). When the caller's own
        /// task is cancelled, `CancellationError` is thrown instead.
        case cancelled
        /// A field does not exist or is not of the wanted type.
        case decoding
        /// The caller asked for something that this client does not support: a zero byte in a text, COPY, a transaction
        /// used after its end.
        case misuse
        /// The pool was closed.
        case poolClosed
        /// Any other error of the server.
        case server
    }

    package var code: Code
    /// The server's five characters, where it sent any (PostgreSQL manual, appendix A).
    package var sqlState: String?
    /// What went wrong, in the server's words where it said something.
    package var message: String
    /// The server's detail line, which names the values.
    package var detail: String?
    /// The name of the violated constraint.
    package var constraint: String?
    /// The statement's text.
    package var statement: String?
    /// Which statement of a pipeline it was, counted from 0.
    package var statementIndex: Int?

    package init(
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

    /// Whether the whole transaction may succeed when it runs again from its start.
    package var isConflict: Bool { code == .serializationFailure || code == .deadlock }

    /// Whether a later attempt to connect may succeed. A wrong password and a database that does not exist fail again.
    package var isWorthRetrying: Bool {
        guard code == .connectionFailed else { return false }
        guard let sqlState else { return true }
        return !sqlState.hasPrefix("28") && sqlState != "3D000"
    }

    package var description: String {
        var text = message
        if let detail { text += " (\(detail.split(separator: "\n").joined(separator: " ")))" }
        if let sqlState { text += " [SQLSTATE \(sqlState)]" }
        if let statementIndex { text += " in statement \(statementIndex) of a pipeline" }
        if let statement { text += ": \(PostgresError.shortened(statement))" }
        return text
    }

    /// A statement on one line, cut off after 300 characters.
    private static func shortened(_ statement: String) -> String {
        let line = statement.split { $0 == "\n" || $0 == " " || $0 == "\t" }.joined(separator: " ")
        return line.count > 300 ? line.prefix(300) + "..." : line
    }
}

extension PostgresError.Code {
    /// The kind of error that an SQLSTATE means.
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
