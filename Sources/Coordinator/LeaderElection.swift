public import Logging
public import Postgres

/// One coordinator leads: the one that holds an advisory lock of the database. When it dies, its session ends, and the lock
/// goes to the next that waits.
public struct LeaderElection: Sendable {
    /// Any number that nothing else locks.
    private static let lock: Int64 = 0x5350_4F4F_4C02

    private let configuration: PostgresConfiguration
    private let logger: Logger

    public init(_ configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Waits for the lead, runs `lead` for as long as it lasts, and begins anew, until the task is cancelled.
    public func run(_ lead: @escaping @Sendable () async -> Void) async {
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.connect(configuration)
                _ = try await connection.query("SELECT pg_advisory_lock($1)", [.int64(LeaderElection.lock)])
                logger.info("leading")
                await holding(connection, lead)
                await connection.close()
            } catch is CancellationError {
                return
            } catch {
                logger.warning("cannot stand for the lead: \(error); trying again")
                try? await Task.sleep(for: .seconds(1))  // cut short: the loop's condition ends it
            }
        }
    }

    /// Runs `lead` until the session that holds the lock breaks.
    private func holding(_ connection: PostgresConnection, _ lead: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await lead() }
            group.addTask {
                while !Task.isCancelled {
                    do {
                        try await Task.sleep(for: .seconds(5))
                        _ = try await connection.query("SELECT 1")
                    } catch {
                        if !Task.isCancelled { logger.warning("lost the lead: \(error)") }
                        return
                    }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
