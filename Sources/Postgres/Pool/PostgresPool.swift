package import BlockingWork
import Synchronization

/// A fixed number of connections that many tasks share. Each is lent to one task at a time, in the order of the
/// requests.
///
/// Connections are made when they are first needed. A connection that is found broken before anything was sent on it is
/// replaced at once, and its user does not notice. A server that does not answer is retried with growing pauses.
package final class PostgresPool: PostgresQuerying {
    private typealias Waiter = CheckedContinuation<PostgresConnection?, any Error>

    private struct State {
        var queue: LeaseQueue<PostgresConnection, Waiter>
        var tickets = 0
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let configuration: PostgresConfiguration
    private let connectAttempts: Int
    private let backoff: Backoff
    private let clock: any Clock<Duration>
    private let observer: StatementObserver?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: connections at a time, at least 1.
    ///   - connectAttempts: how often connecting is tried before the caller gets the error, at least 1.
    ///   - backoff: the pauses between these attempts.
    ///   - observer: is called with each statement of each connection before it is sent, for measurements.
    package init(
        _ configuration: PostgresConfiguration, limit: Int, connectAttempts: Int = 6,
        backoff: Backoff = .postgres, clock: any Clock<Duration> = ContinuousClock(), observer: StatementObserver? = nil
    ) {
        self.configuration = configuration
        self.connectAttempts = connectAttempts
        self.backoff = backoff
        self.clock = clock
        self.observer = observer
        state = Mutex(State(queue: LeaseQueue(limit: limit)))
    }

    /// Lends a connection that was alive a moment ago to `body` alone, for as long as `body` runs. A transaction left
    /// open is rolled back; other settings of the session stay.
    /// - Throws: what `body` throws, `PostgresError` (`connectionFailed`, `poolClosed`), or `CancellationError`.
    nonisolated(nonsending) package func withConnection<Result>(
        _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await lease({ try await $0.check() }, { connection, _ in try await body(connection) })
    }

    /// Runs `body` in a transaction on a connection of the pool; see `PostgresConnection.transaction`.
    /// - Parameter opening: a statement without parameters that is sent with the `BEGIN`, in the same round trip; where
    ///   it fails, `body` does not run.
    nonisolated(nonsending) package func transaction<Result>(
        isolation: PostgresIsolation = .readCommitted, attempts: Int = 1, opening: String? = nil,
        _ body: nonisolated(nonsending) (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await retryingConflicts(attempts: attempts, clock: clock) {
            try await lease({ try await $0.begin(isolation, opening: opening) }, { try await $0.finish($1, body) })
        }
    }

    package func result(of statement: String, _ parameters: [PostgresValue]) async throws -> PostgresResult {
        try await lease({ try await $0.result(of: statement, parameters) }, { $1 })
    }

    package func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult] {
        try await lease({ try await $0.pipeline(statements) }, { $1 })
    }

    /// Lends no more connections, waits until all lent ones are back, and closes all. Tasks that wait for a connection
    /// get the error `poolClosed`. To end earlier, cancel the tasks that use one.
    package func close() async {
        let (waiters, idle) = state.withLock { $0.queue.close() }
        for waiter in waiters { waiter.resume(throwing: PostgresPool.closedError) }
        for connection in idle { await connection.close() }
        await withCheckedContinuation { closer in
            let isDrained = state.withLock { state in
                if !state.queue.isDrained { state.closers.append(closer) }
                return state.queue.isDrained
            }
            if isDrained { closer.resume() }
        }
    }

    /// How many connections are lent, and how many tasks wait for one.
    package var usage: (leased: Int, waiting: Int) { state.withLock { ($0.queue.leased, $0.queue.waiting) } }

    private static let closedError = PostgresError(.poolClosed, "the pool of connections is closed")

    /// Lends a connection to `first` and then to `rest`. When `first` finds the connection lost with nothing executed,
    /// `first` runs once more on a new connection.
    nonisolated(nonsending) private func lease<First, Result>(
        _ first: nonisolated(nonsending) (PostgresConnection) async throws -> First,
        _ rest: nonisolated(nonsending) (PostgresConnection, First) async throws -> Result
    ) async throws -> Result {
        var connection = try await acquire()
        do {
            var used = if let connection { connection } else { try await connect() }
            connection = used
            if let result = try await PostgresPool.use(used, first, rest) {
                await release(used)
                return result
            }
            connection = nil
            used = try await connect()
            connection = used
            let begun = try await first(used)
            let result = try await rest(used, begun)
            await release(used)
            return result
        } catch {
            await release(connection)
            throw error
        }
    }

    /// Runs both parts.
    /// - Returns: nil where `first` finds the connection lost.
    nonisolated(nonsending) private static func use<First, Result>(
        _ connection: PostgresConnection,
        _ first: nonisolated(nonsending) (PostgresConnection) async throws -> First,
        _ rest: nonisolated(nonsending) (PostgresConnection, First) async throws -> Result
    ) async throws -> Result? {
        let begun: First
        do {
            begun = try await first(connection)
        } catch let error as PostgresError where error.code == .connectionLost {
            return nil
        }
        return try await rest(connection, begun)
    }

    /// Waits for a lease.
    /// - Returns: an idle connection; nil where the caller has to make one.
    private func acquire() async throws -> PostgresConnection? {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                // A cancellation before the lock is taken is seen here. After a later one, the handler finds the
                // waiter.
                let answer = state.withLock { state in
                    Task.isCancelled ? nil : state.queue.ask(ticket: ticket, waiter)
                }
                switch answer {
                case nil: waiter.resume(throwing: CancellationError())
                case .granted(let connection): waiter.resume(returning: connection)
                case .closed: waiter.resume(throwing: PostgresPool.closedError)
                case .waiting: break
                }
            }
        } onCancel: {
            state.withLock { $0.queue.leave(ticket: ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// Ends a lease and serves the next waiter.
    private func release(_ connection: PostgresConnection?) async {
        if let connection, connection.health == .inTransaction { await connection.recover() }
        let usable = connection?.health == .idle ? connection : nil
        let (next, superfluous, closers) = state.withLock { state in
            let (next, superfluous) = state.queue.giveBack(usable)
            defer { if state.queue.isDrained { state.closers = [] } }
            return (next, superfluous, state.queue.isDrained ? state.closers : [])
        }
        next?.resume(returning: usable)
        if let superfluous { await superfluous.close() }
        for closer in closers { closer.resume() }
    }

    /// Makes a connection, with retries.
    private func connect() async throws -> PostgresConnection {
        var attempt = 1
        while true {
            if state.withLock({ $0.queue.isClosed }) { throw PostgresPool.closedError }
            do {
                return try await PostgresConnection.connect(configuration, observer: observer)
            } catch let error as PostgresError where error.isWorthRetrying && attempt < connectAttempts {
                try await clock.sleep(for: backoff.pause(before: attempt))
                attempt += 1
            }
        }
    }
}

extension PostgresConnection {
    /// - Throws: `PostgresError` (`connectionLost`), when the server has closed the connection.
    func check() async throws {
        try await interruptibly { _ in _ = try usableSession(for: "", in: nil) }
    }
}
