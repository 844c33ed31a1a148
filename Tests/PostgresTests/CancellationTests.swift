import Postgres
import Testing

@Suite("Cancellation", .timeLimit(.minutes(2)))
struct CancellationTests {
    private let connection: PostgresConnection
    private let observer: PostgresConnection

    init() async throws {
        let database = try await TestDatabase()
        connection = try await database.connect()
        observer = try await database.connect()
    }

    @Test("a cancelled task's statement ends at once, and its connection goes on")
    func running() async throws {
        let session = try #require(await connection.processIdentifier)
        let sleeping = Task { try await connection.query("SELECT pg_sleep(3600)") }
        try await observer.wait(forWaiting: "PgSleep")
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(try await connection.value("SELECT pg_backend_pid()", as: Int32.self) == session)
    }

    @Test("a cancelled task's pipeline and script end as well")
    func pipelinesAndScripts() async throws {
        let tasks: [@Sendable () async throws -> Void] = [
            { _ = try await connection.pipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT pg_sleep(3600)")]) },
            { try await connection.executeScript("SELECT 1; SELECT pg_sleep(3600)") },
        ]
        for run in tasks {
            let sleeping = Task { try await run() }
            try await observer.wait(forWaiting: "PgSleep")
            sleeping.cancel()
            await #expect(throws: CancellationError.self) { try await sleeping.value }
            #expect(try await connection.value("SELECT 5", as: Int.self) == 5)
        }
    }

    @Test("a cancelled task's transaction is rolled back")
    func transaction() async throws {
        try await observer.executeScript("CREATE TABLE t (id bigint)")
        let sleeping = Task {
            try await connection.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (1)")
                _ = try? await transaction.query("SELECT pg_sleep(3600)")  // hidden on purpose
            }
        }
        try await observer.wait(forWaiting: "PgSleep")
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(try await connection.value("SELECT count(*) FROM t", as: Int.self) == 0)
    }

    @Test("a task that was cancelled before the call sends nothing")
    func before() async throws {
        try await observer.executeScript("CREATE TABLE t (id bigint)")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await connection.execute("INSERT INTO t VALUES (1)")
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await observer.value("SELECT count(*) FROM t", as: Int.self) == 0)
    }

    @Test("a cancellation at any moment never hits the next statement")
    func races() async throws {
        var cancelled = 0
        for number in 0..<400 {
            let task = Task {
                try await connection.value("SELECT $1 + 0 * length(repeat('x', 1000))", [.int64(Int64(number))], as: Int.self)
            }
            for _ in 0..<(number % 40) { await Task.yield() }
            task.cancel()
            do {
                #expect(try await task.value == number)
            } catch is CancellationError {
                cancelled += 1
            }
            #expect(try await connection.value("SELECT $1", [.int64(Int64(number))], as: Int.self) == number)
        }
        #expect(cancelled > 0)
    }

    @Test("the server's own limit on a statement is no cancellation")
    func statementTimeout() async throws {
        try await connection.execute("SET statement_timeout = '20ms'")
        let error = await #expect(throws: PostgresError.self) { try await connection.query("SELECT pg_sleep(3600)") }
        #expect(error?.code == .cancelled)
    }

    @Test("connecting to a silent server ends when its task is cancelled, or at its time limit")
    func connecting() async throws {
        let server = try SilentServer()
        let string = "host=127.0.0.1 port=\(server.port) user=spool sslmode=disable"
        let task = Task { try await PostgresConnection.connect(PostgresConfiguration(string)) }
        try await server.waitForClient()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(PostgresConfiguration(string, connectTimeout: .milliseconds(20)))
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("at 127.0.0.1:\(server.port): no answer within 0.02 seconds; check") == true)
    }

    @Test("many more statements than cores can wait in the server while other tasks go on")
    func innocent() async throws {
        let database = try await TestDatabase()
        let holder = try await database.connect()
        try await holder.execute("SELECT pg_advisory_lock(7)")
        let count = 12
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let waiter = try await database.connect()
                    try await waiter.transaction { _ = try await $0.query("SELECT pg_advisory_xact_lock(7)") }
                }
            }
            // This task unlocks only while none of Swift's threads is blocked.
            try await holder.wait(forWaiting: "advisory", count: count)
            try await holder.execute("SELECT pg_advisory_unlock(7)")
            try await group.waitForAll()
        }
    }
}
