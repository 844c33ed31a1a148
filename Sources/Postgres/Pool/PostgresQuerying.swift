/// Something that runs statements: a pool, a connection or a transaction. Code that stores things takes `some
/// PostgresQuerying`, so that its caller decides what else belongs to the transaction.
package protocol PostgresQuerying: Sendable {
    /// Runs one statement.
    ///
    /// When the calling task is cancelled, the server is asked to end the statement. A statement that had already ended
    /// returns its result as usual.
    /// - Parameters:
    ///   - statement: SQL with `$1`, `$2` and so on in the place of values. It is prepared once for each connection.
    ///   - parameters: the values, in order.
    /// - Throws: `PostgresError` with the statement in it, or `CancellationError`.
    func result(of statement: String, _ parameters: [PostgresValue]) async throws -> PostgresResult

    /// Runs statements in one round trip, all or none: outside a transaction they form a transaction of their own.
    /// - Returns: their results in order.
    /// - Throws: `PostgresError` with the first statement that failed and its index, or `CancellationError`.
    func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult]
}

/// A statement with its parameters, for a pipeline.
package struct PostgresStatement: Sendable, Hashable {
    package var text: String
    package var parameters: [PostgresValue]

    package init(_ text: String, _ parameters: [PostgresValue] = []) {
        self.text = text
        self.parameters = parameters
    }
}

extension PostgresQuerying {
    /// Runs one statement for its rows; see `result(of:_:)`.
    package func query(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> [PostgresRow] {
        try await result(of: statement, parameters).rows
    }

    /// Runs one statement for its effect; see `result(of:_:)`.
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    package func execute(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> Int {
        try await result(of: statement, parameters).affectedRows
    }
}
