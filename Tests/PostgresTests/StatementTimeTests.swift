import Postgres
import TestSupport
import Testing

@Suite("A session with time limits", .timeLimit(.minutes(2)))
struct StatementTimeTests {
    @Test("ends a statement that takes longer, and goes on with the next")
    func statement() async throws {
        var configuration = try await TestDatabase().configuration
        configuration.statementTimeout = .milliseconds(50)
        let connection = try await PostgresConnection.connect(configuration)
        let error = await #expect(throws: PostgresError.self) { try await connection.execute("SELECT pg_sleep(600)") }
        #expect(error?.code == .cancelled)
        #expect(error?.sqlState == "57014")
        #expect(try await connection.value("SELECT 1", as: Int64.self) == 1)
    }

    @Test("ends the wait for a lock that another session holds")
    func lock() async throws {
        let database = try await TestDatabase()
        let holder = try await database.connect()
        try await holder.executeScript("CREATE TABLE t (id bigint)")
        var configuration = database.configuration
        configuration.lockTimeout = .milliseconds(50)
        let limited = configuration
        try await holder.transaction { transaction in
            try await transaction.execute("LOCK TABLE t")
            let connection = try await PostgresConnection.connect(limited)
            let error = await #expect(throws: PostgresError.self) { try await connection.execute("SELECT * FROM t") }
            #expect(error?.code == .lockUnavailable)
        }
    }
}
