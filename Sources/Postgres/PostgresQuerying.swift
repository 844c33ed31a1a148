/// What statements can be given to: a pool, a connection, a transaction. Code that stores things takes `some
/// PostgresQuerying`, and its caller decides what else belongs to the transaction.
public protocol PostgresQuerying: Sendable {
    /// Runs one statement.
    ///
    /// When the calling task is cancelled, the server is asked to end the statement; one that had already ended gives its
    /// result as if nothing had happened.
    /// - Parameters:
    ///   - statement: SQL with `$1`, `$2` and so on in the place of values. It is prepared once for each connection.
    ///   - parameters: the values, in order.
    /// - Throws: `PostgresError` with the statement in it, or `CancellationError`.
    func result(of statement: String, _ parameters: [PostgresValue]) async throws -> PostgresResult

    /// Runs statements in one round trip, all or none: outside a transaction they are one of their own.
    /// - Returns: their results in order.
    /// - Throws: `PostgresError` with the first statement that failed and its index, or `CancellationError`.
    func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult]
}

/// A statement with its parameters, for a pipeline.
public struct PostgresStatement: Sendable, Hashable {
    public var text: String
    public var parameters: [PostgresValue]

    public init(_ text: String, _ parameters: [PostgresValue] = []) {
        self.text = text
        self.parameters = parameters
    }
}

extension PostgresQuerying {
    /// Runs one statement for its rows; see `result(of:_:)`.
    public func query(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> [PostgresRow] {
        try await result(of: statement, parameters).rows
    }

    /// Runs one statement for what it does; see `result(of:_:)`.
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    public func execute(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> Int {
        try await result(of: statement, parameters).affectedRows
    }
}
