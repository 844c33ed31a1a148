import Coordinator
import InMemoryLogging
import JobQueue
import Logging
import Postgres
import TestSupport
import Testing

/// A database whose lead candidates compete for.
struct LeaseFixture: Sendable {
    let configuration: PostgresConfiguration
    let pool: PostgresPool
    let store: PostgresFarmStore

    init() async throws {
        configuration = PostgresConfiguration(try await MigratedDatabase.make())
        pool = PostgresPool(configuration, limit: 3)
        store = PostgresFarmStore(pool)
    }

    func election(
        _ holder: String, lease: Duration, longestStep: Duration = LeaderElection.longestStep,
        log: InMemoryLogHandler = InMemoryLogHandler()
    ) -> LeaderElection {
        var logger = Logger(label: holder) { _ in log }
        logger.logLevel = .error
        return LeaderElection(configuration, holder: holder, lease: lease, longestStep: longestStep, logger: logger)
    }

    /// The row of the lead.
    func lead() async throws -> (epoch: Int64, holder: String?) {
        let row = try #require(try await pool.query("SELECT epoch, holder FROM lead").first)
        return (try row.get("epoch"), try row.get("holder"))
    }

    /// Gives the lead to a holder that never renews it.
    /// - Returns: its term.
    func take(as holder: String = "silent") async throws -> LeadTerm {
        let row = try #require(
            try await pool.query(
                """
                UPDATE lead SET epoch = epoch + 1, holder = $1, renewed_at = clock_timestamp() RETURNING epoch, renewed_at
                """, [.text(holder)]
            ).first)
        return LeadTerm(epoch: try row.get("epoch"), databaseTime: try row.get("renewed_at"))
    }

    /// Asks the database again and again until something is so; the time limit of the test ends the wait.
    func eventually(_ isTrue: () async throws -> Bool) async throws {
        while try await !isTrue() { try await nextLook() }
    }
}

/// The candidates that lead, as they say it themselves.
actor Leaders {
    private(set) var now: [String] = []
    private(set) var history: [String] = []

    func begin(_ name: String) {
        now.append(name)
        history.append(name)
    }

    func end(_ name: String) { now.removeAll { $0 == name } }

    /// Leads until the task is cancelled, and notes that the work goes on.
    func lead(_ name: String, _ term: LeadTerm) async {
        begin(name)
        while !Task.isCancelled {
            term.noteProgress()
            _ = await WakeSignal().wait(atMost: .milliseconds(20))
        }
        end(name)
    }
}
