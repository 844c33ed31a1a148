import BlockingWork

/// How far a transaction is isolated from others (PostgreSQL manual, section 13.2).
package enum PostgresIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    /// Transactions behave as if they ran one after the other. Expect `serializationFailure`, and give `transaction`
    /// some attempts.
    case serializable = "SERIALIZABLE"
}

/// A transaction under way. It is lent to the closure of `transaction` and cannot be used afterwards.
package struct PostgresTransaction: PostgresQuerying {
    let connection: PostgresConnection
    let number: Int

    package func result(of statement: String, _ parameters: [PostgresValue]) async throws -> PostgresResult {
        try await connection.result(of: statement, parameters, in: number)
    }

    package func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult] {
        try await connection.pipeline(statements, in: number)
    }

    /// Runs statements, separated by semicolons and without parameters.
    /// - Throws: `PostgresError` with the whole script in it, or `CancellationError`.
    package func executeScript(_ script: String) async throws { try await connection.executeScript(script, in: number) }

    /// Runs a part of the transaction that can fail alone: when `body` throws, its changes are undone, and the
    /// transaction goes on.
    /// - Throws: what `body` throws. Where `body` hides the error of a statement, that error is thrown.
    nonisolated(nonsending) package func savepoint<Result>(
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
    /// Runs `body` in a transaction, which is committed when `body` returns and rolled back when `body` throws.
    ///
    /// When the task is cancelled before `body` returns, the transaction is rolled back; after that, it is committed.
    /// - Parameters:
    ///   - attempts: how often `body` runs at most, when another transaction conflicts with it (`isConflict`). Each
    ///     attempt starts from the beginning, so `body` should do nothing that lasts outside the transaction.
    ///   - clock: measures the short pauses between attempts.
    ///   - body: uses the transaction that it is given, and not the connection.
    /// - Throws: what `body` throws, or `PostgresError`. Where `body` hides the error of a statement, that error is
    ///   thrown, because the server commits nothing then. A connection that breaks during the commit is
    ///   `outcomeUnknown`.
    nonisolated(nonsending) package func transaction<Result>(
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
            // The thread of the connection also runs what lies between the statements, so that no statement changes it.
            let result = try await withTaskExecutorPreference(thread.tasks) { try await body(transaction) }
            try await commit(transaction.number)
            return result
        } catch {
            await rollBack(transaction.number)
            throw error
        }
    }
}
