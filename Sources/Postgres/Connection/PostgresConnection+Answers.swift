import CPostgres

/// What every call does: it checks that the session is usable, sends, and reads until the server has answered
/// completely.
extension PostgresConnection {
    /// The session, when a statement may be sent on it now.
    /// - Parameter number: the transaction that the statement belongs to.
    func usableSession(for statement: String, in number: Int?) throws(PostgresError) -> LibpqSession {
        guard number == transaction?.number else {
            let reason =
                number == nil
                ? "the connection is inside a transaction; use the transaction itself" : "the transaction has ended"
            throw PostgresError(.misuse, reason, statement: statement)
        }
        guard !statement.utf8.contains(0) else {
            throw PostgresError(.misuse, "the statement has a zero byte", statement: statement)
        }
        if let session, !session.hasHungUp() { return session }
        drop()
        throw PostgresError(
            .connectionLost, "the connection to PostgreSQL is closed; the statement was not sent", statement: statement)
    }

    /// Checks the result of one of libpq's `PQsend...` functions. They fail for arguments that the protocol cannot
    /// carry.
    func sent(_ success: Bool, _ session: LibpqSession, _ statement: String) throws(PostgresError) {
        guard !success else { return }
        throw PostgresError(
            session.isBroken ? .connectionLost : .misuse, "libpq did not send the statement: \(session.message)",
            statement: statement)
    }

    /// Reads everything that the server answers to a statement. The last result counts: a deferred constraint fails
    /// after the statement itself has succeeded.
    /// - Parameter lasts: whether a statement that was sent may have had a lasting effect when the connection breaks.
    /// - Returns: the last result.
    @discardableResult
    func answer(
        _ session: LibpqSession, _ statement: String, _ interruption: Interruption?, lasts: Bool
    ) throws -> LibpqResult? {
        var last: LibpqResult?
        var refusal: PostgresError?
        while let result = try nextResult(session, statement, interruption) {
            if result.isError {
                refusal = refusal ?? result.error(statement: statement)
            } else {
                last = result
            }
        }
        if session.isBroken { throw broken(refusal, statement, lasts: lasts) }
        if let refusal { throw meaning(of: refusal, interruption) }
        return last
    }

    /// The session's next result. Where the session cannot go on, it is dropped.
    func nextResult(_ session: LibpqSession, _ statement: String, _ interruption: Interruption?) throws -> LibpqResult? {
        do {
            let result = try session.nextResult(interruption)
            if let result, result.isCopy {
                throw PostgresError(.misuse, "COPY to or from the client is not supported", statement: statement)
            }
            return result
        } catch {
            drop()
            throw error
        }
    }

    /// An error as the caller sees it: the caller's own cancellation is no error of the server.
    func meaning(of refusal: PostgresError, _ interruption: Interruption?) -> any Error {
        if refusal.sqlState == "57014", let interruption, interruption.isRequested { return CancellationError() }
        return refusal
    }

    /// The error for a connection that broke after the statement was sent.
    func broken(_ refusal: PostgresError?, _ statement: String, lasts: Bool) -> PostgresError {
        drop()
        let outcome = lasts ? "the statement may have been executed or not" : "the statement has no effect"
        let reason = refusal.map { ": \($0.message)" } ?? ""
        return PostgresError(
            lasts ? .outcomeUnknown : .connectionLost, "the connection to PostgreSQL broke, and \(outcome)\(reason)",
            sqlState: refusal?.sqlState, statement: statement, statementIndex: refusal?.statementIndex)
    }

    /// Keeps the error with which a transaction fails, because a later commit throws it.
    func rememberingFailure<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            if session?.transactionStatus != PQTRANS_INTRANS, transaction?.failure == nil { transaction?.failure = error }
            throw error
        }
    }
}
