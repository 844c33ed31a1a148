import Coordinator
import FarmAPI
import Postgres
import Synchronization
import Testing

/// A store in a database of its own, whose statements PostgreSQL explains.
struct ExplainedStore {
    /// The statements that the store has sent.
    private final class Log: Sendable {
        let statements = Mutex<[PostgresStatement]>([])
    }

    let store: PostgresFarmStore
    let pool: PostgresPool
    let tenant: Int64
    private let log: Log

    /// - Parameter script: the SQL that fills the database, for a tenant.
    init(filledBy script: (_ tenant: Int64) -> String) async throws {
        let database = try await MigratedDatabase.make()
        let log = Log()
        pool = PostgresPool(
            PostgresConfiguration(database), limit: 2,
            observer: { statement in log.statements.withLock { $0.append(statement) } })
        store = PostgresFarmStore(pool)
        tenant = try await store.createTenant("studio", weight: 1).id
        self.log = log
        let text = script(tenant)
        try await pool.transaction { try await $0.executeScript(text) }
    }

    /// The plan of a statement that `work` makes the store send.
    /// - Parameter part: a part of the statement's text.
    func plan(of part: String, _ work: (PostgresFarmStore) async throws -> Void) async throws -> [String] {
        log.statements.withLock { $0 = [] }
        try await work(store)
        let statement = try #require(log.statements.withLock { $0.first { $0.text.contains(part) } })
        return try await pool.transaction { transaction in
            try await transaction.query("EXPLAIN (COSTS OFF) \(statement.text)", statement.parameters)
                .map { try $0.get("QUERY PLAN", as: String.self) }
        }
    }
}
