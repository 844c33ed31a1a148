import BlockingWork
import CPostgres
import Synchronization

/// Sees the statements of a connection, in order, on the connection's thread.
package typealias StatementObserver = @Sendable (PostgresStatement) -> Void

/// A connection to a PostgreSQL server, on its own thread: however long the server takes, no other task is delayed.
///
/// One task uses it at a time (a `PostgresPool` sees to that), and it connects once: when it breaks, it stays broken,
/// and its calls throw `connectionLost`.
package actor PostgresConnection: PostgresQuerying {
    /// The state of a connection that returns to its pool.
    enum Health {
        case idle
        /// A caller began a transaction with a `BEGIN` of its own and left it open.
        case inTransaction
        case broken
    }

    /// A transaction under way.
    struct OpenTransaction {
        let number: Int
        /// Why the server takes no more statements; nil while it takes them.
        var failure: (any Error)?
    }

    let thread = BlockingThread(name: "postgres")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let wakeup: Wakeup
    private let currentHealth = Mutex(Health.idle)
    var prepared: PreparedStatements
    var session: LibpqSession?
    var transaction: OpenTransaction?
    var transactionsBegun = 0

    /// Called with each statement before it is sent; scripts and the pool's own BEGIN and COMMIT are not reported.
    let observer: StatementObserver?

    private init(statementLimit: Int, observer: StatementObserver?) throws(PostgresError) {
        wakeup = try Wakeup()
        self.observer = observer
        prepared = PreparedStatements(limit: statementLimit)
    }

    /// Connects to a server. Cancelling the task ends that at once, except during the look-up of the host's name.
    /// - Parameters:
    ///   - statementLimit: how many prepared statements are kept, at least 1.
    ///   - observer: is called with each statement before it is sent, for measurements.
    /// - Throws: `PostgresError` (`connectionFailed`), or `CancellationError`.
    package static func connect(
        _ configuration: PostgresConfiguration, statementLimit: Int = 128, observer: StatementObserver? = nil
    ) async throws -> PostgresConnection {
        let connection = try PostgresConnection(statementLimit: statementLimit, observer: observer)
        try await connection.open(configuration)
        return connection
    }

    private func open(_ configuration: PostgresConfiguration) async throws {
        try await interruptibly { interruption in
            let session = try LibpqSession(configuration, wakeup: wakeup)
            try session.connect(configuration, interruption)
            self.session = session
        }
    }

    /// Ends the session. Later calls throw `connectionLost`.
    package func close() { drop() }

    /// The server's process for this connection (`pg_stat_activity.pid`); nil when the connection is broken.
    package var processIdentifier: Int32? { session.map { PQbackendPID($0.pointer) } }

    package func result(of statement: String, _ parameters: [PostgresValue]) async throws -> PostgresResult {
        try await result(of: statement, parameters, in: nil)
    }

    /// Runs statements, separated by semicolons and without parameters, such as a migration. A script without `BEGIN`
    /// is a transaction of its own.
    /// - Throws: `PostgresError` with the whole script in it, or `CancellationError`.
    package func executeScript(_ script: String) async throws { try await executeScript(script, in: nil) }

    /// - Parameter number: the transaction that the statement belongs to.
    func result(of statement: String, _ parameters: [PostgresValue], in number: Int?) async throws -> PostgresResult {
        try await interruptibly { interruption in
            try rememberingFailure { try perform(statement, parameters, in: number, interruption) }
        }
    }

    func executeScript(_ script: String, in number: Int?) async throws {
        try await interruptibly { interruption in
            try rememberingFailure {
                let session = try usableSession(for: script, in: number)
                try sent(session.send(script: script), session, script)
                try answer(session, script, interruption, lasts: number == nil)
            }
        }
    }

    /// Runs `body` on this connection's thread, with an interruption that is requested when the task is cancelled.
    func interruptibly<Result>(_ body: (Interruption) throws -> Result) async throws -> Result {
        let interruption = Interruption(wakeup)
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            defer { noteHealth() }
            return try body(interruption)
        } onCancel: {
            interruption.request()
        }
    }

    private func perform(
        _ statement: String, _ parameters: [PostgresValue], in number: Int?, _ interruption: Interruption
    ) throws -> PostgresResult {
        let session = try usableSession(for: statement, in: number)
        observer?(PostgresStatement(statement, parameters))
        let parameters = try LibpqParameters(parameters, statement: statement)
        let key = PreparedStatements.Key(statement: statement, types: parameters.types)
        func run(_ name: String) throws -> PostgresResult {
            try sent(session.send(prepared: name, parameters), session, statement)
            let last = try answer(session, statement, interruption, lasts: number == nil)
            return last?.contents(statement: statement) ?? PostgresResult(rows: [], affectedRows: 0)
        }
        guard let known = prepared.name(of: key) else { return try run(prepare(key, session, interruption)) }
        do {
            return try run(known)
        } catch let error as PostgresError where error.isOfStalePlan {
            // The failed statement has done nothing, so it is prepared again and run again.
            prepared.remove(key)
            guard session.transactionStatus == PQTRANS_IDLE else { throw error }
            return try run(prepare(key, session, interruption))
        }
    }

    /// - Returns: the name under which the server now knows the statement.
    private func prepare(
        _ key: PreparedStatements.Key, _ session: LibpqSession, _ interruption: Interruption
    ) throws -> String {
        let name = prepared.newName()
        try sent(session.send(prepare: key.statement, as: name, types: key.types), session, key.statement)
        try answer(session, key.statement, interruption, lasts: false)
        if let leaving = prepared.add(key, name: name) { try deallocate(leaving, session, interruption) }
        return name
    }

    /// Makes the server forget a prepared statement.
    func deallocate(_ name: String, _ session: LibpqSession, _ interruption: Interruption) throws {
        let statement = "DEALLOCATE \(name)"
        try sent(session.send(script: statement), session, statement)
        try answer(session, statement, interruption, lasts: false)
    }

    func noteHealth() {
        let health: Health =
            switch session?.transactionStatus {
            case PQTRANS_IDLE: .idle
            case nil, PQTRANS_UNKNOWN: .broken
            default: .inTransaction
            }
        currentHealth.withLock { $0 = health }
    }

    /// The state at the end of the last call.
    nonisolated var health: Health { currentHealth.withLock { $0 } }

    /// Ends the session, on this connection's thread.
    func drop() {
        session = nil
        noteHealth()
    }
}
