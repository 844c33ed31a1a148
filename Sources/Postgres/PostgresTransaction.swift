/// How far a transaction is kept apart from others (PostgreSQL manual, section 13.2).
public enum PostgresIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    /// As if transactions ran one after the other. Expect `serializationFailure`, and give `transaction` some attempts.
    case serializable = "SERIALIZABLE"
}

/// A transaction under way; lent to the closure of `transaction`, and of no use after it.
public struct PostgresTransaction: PostgresQuerying {
    let connection: PostgresConnection
    let number: Int

    public func result(of statement: String, _ parameters: [PostgresValue]) async throws -> PostgresResult {
        try await connection.result(of: statement, parameters, in: number)
    }

    public func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult] {
        try await connection.pipeline(statements, in: number)
    }

    /// Runs statements, separated by semicolons and without parameters.
    /// - Throws: `PostgresError` with the whole script in it, or `CancellationError`.
    public func executeScript(_ script: String) async throws { try await connection.executeScript(script, in: number) }

    /// Runs a part of the transaction that can fail alone: when `body` throws, what it did is undone, and the transaction
    /// goes on.
    /// - Throws: what `body` throws. When it hides the error of a statement, that error.
    nonisolated(nonsending) public func savepoint<Result>(
        _ body: nonisolated(nonsending) (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await execute("SAVEPOINT spool")
        do {
            let result = try await body(self)
            try await connection.release(savepoint: "spool", in: number)
            return result
        } catch {
            try await connection.rollBack(toSavepoint: "spool", in: number)
            throw error
        }
    }
}

extension PostgresConnection {
    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// A task that is cancelled before `body` returns is rolled back; after that, the commit is gone through with.
    /// - Parameters:
    ///   - attempts: how often `body` is run, at most, when another transaction is in its way (`isConflict`). Each attempt
    ///     starts from the beginning, so `body` should do nothing that lasts outside the transaction.
    ///   - clock: measures the short waits between attempts.
    ///   - body: uses the transaction that it is given, and not the connection.
    /// - Throws: what `body` throws, or `PostgresError`. When `body` hides the error of a statement, that error: the server
    ///   commits nothing then. A connection that breaks while committing is `outcomeUnknown`.
    nonisolated(nonsending) public func transaction<Result>(
        isolation: PostgresIsolation = .readCommitted, attempts: Int = 1, clock: any Clock<Duration> = ContinuousClock(),
        _ body: nonisolated(nonsending) (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await retryingConflicts(attempts: attempts, clock: clock) {
            try await finish(begin(isolation), body)
        }
    }

    /// Runs `body` in a transaction that has begun, and ends it.
    nonisolated(nonsending) func finish<Result>(
        _ transaction: PostgresTransaction, _ body: nonisolated(nonsending) (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(transaction)
            try await commit(transaction.number)
            return result
        } catch {
            await rollBack(transaction.number)
            throw error
        }
    }
}
