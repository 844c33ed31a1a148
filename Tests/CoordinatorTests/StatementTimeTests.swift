import FarmAPI
import Coordinator
import Postgres
import TestSupport
import Testing

@Suite("A store with time limits", .timeLimit(.minutes(2)))
struct StatementTimeTests {
    @Test("says that the database is unavailable when a statement runs longer or waits longer for a lock")
    func locks() async throws {
        let url = try await MigratedDatabase.make()
        let holder = try await PostgresConnection.connect(PostgresConfiguration(url))
        let limits = [
            PostgresConfiguration(url, lockTimeout: .milliseconds(50)),
            PostgresConfiguration(url, statementTimeout: .milliseconds(50)),
        ]
        try await holder.transaction { transaction in
            try await transaction.execute("LOCK TABLE exports")
            for configuration in limits {
                let store = PostgresFarmStore(PostgresPool(configuration, limit: 1))
                let error = await #expect(throws: FarmError.self) {
                    _ = try await store.exports(ExportFilter(limit: 10))
                }
                #expect(error?.code == .unavailable)
            }
        }
    }
}
