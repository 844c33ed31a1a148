package import Logging
package import Postgres

/// Elects the leader among the coordinators: the one that holds an advisory lock of the database. When it dies, its
/// session ends, and the lock goes to the next coordinator that waits.
package struct LeaderElection: Sendable {
    /// An arbitrary number that nothing else in the database locks.
    private static let lock: Int64 = 0x5350_4F4F_4C02

    private let configuration: PostgresConfiguration
    private let logger: Logger

    package init(_ configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Waits until this coordinator leads, runs `lead` for as long as it does, and begins anew, until the task is
    /// cancelled.
    package func run(_ lead: @escaping @Sendable () async -> Void) async {
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
                logger.warning("cannot take part in the election of the leader: \(error); retrying")
                try? await Task.sleep(for: .seconds(1))  // cancelled: the loop's condition ends the loop
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
                        if !Task.isCancelled { logger.warning("this coordinator does not lead any more: \(error)") }
                        return
                    }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
