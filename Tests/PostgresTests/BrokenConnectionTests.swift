import BlockingWork
import Postgres
import Testing
import TestSupport

@Suite("Connections that break", .timeLimit(.minutes(3)))
struct BrokenConnectionTests {
    private let database: TestDatabase
    private let admin: PostgresConnection
    private let pool: PostgresPool

    init() async throws {
        database = try await TestDatabase()
        admin = try await database.connect()
        pool = PostgresPool(database.configuration, limit: 1)
        try await pool.execute("CREATE TABLE t (id bigint)")
    }

    @Test("a connection that broke while idle is replaced, and its user does not notice")
    func idle() async throws {
        try await admin.terminate()
        #expect(try await pool.execute("INSERT INTO t VALUES (1)") == 1)
        try await admin.terminate()
        try await pool.transaction { _ = try await $0.execute("INSERT INTO t VALUES (2)") }
        try await admin.terminate()
        try await pool.withConnection { _ = try await $0.execute("INSERT INTO t VALUES (3)") }
        try await admin.terminate()
        _ = try await pool.pipeline([PostgresStatement("INSERT INTO t VALUES (4)")])
        #expect(try await admin.value("SELECT array_agg(id ORDER BY id) FROM t", as: [Int64].self) == [1, 2, 3, 4])
    }

    @Test("a statement that may have been executed is not repeated, and its error says so")
    func running() async throws {
        let statement = "INSERT INTO t SELECT 1 FROM pg_sleep(3600)"
        for attempt in 0..<2 {
            let running = Task {
                if attempt == 0 {
                    _ = try await pool.execute(statement)
                } else {
                    _ = try await pool.pipeline([PostgresStatement("SELECT 1"), PostgresStatement(statement)])
                }
            }
            try await admin.wait(forWaiting: "PgSleep")
            try await admin.terminate()
            let error = await #expect(throws: PostgresError.self) { try await running.value }
            #expect(error?.code == .outcomeUnknown)
            #expect(error?.sqlState == "57P01")
            #expect(error?.statement == statement)
            #expect(
                error?.message == """
                    the connection to PostgreSQL broke, and the statement may have been executed or not: terminating \
                    connection due to administrator command
                    """)
            #expect(try await pool.value("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }

    @Test("a connection that breaks in a transaction leaves nothing behind, and its error says so")
    func inTransaction() async throws {
        let running = Task {
            try await pool.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (1)")
                try await transaction.execute("SELECT pg_sleep(3600)")
            }
        }
        try await admin.wait(forWaiting: "PgSleep")
        try await admin.terminate()
        let error = await #expect(throws: PostgresError.self) { try await running.value }
        #expect(error?.code == .connectionLost)
        #expect(
            error?.message == """
                the connection to PostgreSQL broke, and the statement has no effect: terminating connection due to \
                administrator command
                """)
        #expect(try await pool.value("SELECT count(*) FROM t", as: Int.self) == 0)
    }

    @Test("a connection that breaks between two statements of a transaction fails it, even where the error is hidden")
    func betweenStatements() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await pool.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (1)")
                try await admin.terminate()
                _ = try? await transaction.execute("INSERT INTO t VALUES (2)")  // hidden on purpose
            }
        }
        #expect(error?.code == .connectionLost)
        #expect(try await pool.value("SELECT count(*) FROM t", as: Int.self) == 0)
    }

    @Test("a killed server breaks what runs, is named while it is away, and is used again when it is back")
    func killedServer() async throws {
        try await PostgresServer.withServer { server in
            let configuration = PostgresConfiguration(server.url(database: "postgres"))
            let backoff = Backoff(first: .milliseconds(5), limit: .milliseconds(50))
            let impatient = PostgresPool(configuration, limit: 2, connectAttempts: 2, backoff: backoff)
            let patient = PostgresPool(configuration, limit: 2, connectAttempts: 1_000_000, backoff: backoff)
            let observer = try await PostgresConnection.connect(configuration)
            let running = Task { try await impatient.query("SELECT pg_sleep(3600)") }
            try await observer.wait(forWaiting: "PgSleep")
            #expect(try await patient.value("SELECT 1", as: Int.self) == 1)
            try await server.kill()

            let broken = await #expect(throws: PostgresError.self) { try await running.value }
            #expect(broken?.code == .outcomeUnknown)
            let away = await #expect(throws: PostgresError.self) { try await impatient.query("SELECT 1") }
            #expect(away?.code == .connectionFailed)
            #expect(away?.message.contains("127.0.0.1:\(server.port): Connection refused") == true)

            let waiting = Task { try await patient.value("SELECT 2", as: Int.self) }
            try await server.start()
            #expect(try await waiting.value == 2)
            #expect(try await impatient.value("SELECT 3", as: Int.self) == 3)
        }
    }

    @Test("a pool whose password is refused does not retry")
    func refused() async throws {
        let server = try await PostgresServer.shared()
        let pool = PostgresPool(
            PostgresConfiguration(server.url(database: "postgres", password: "wrong")), limit: 1, connectAttempts: 1_000_000)
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(error?.sqlState == "28P01")
    }
}
