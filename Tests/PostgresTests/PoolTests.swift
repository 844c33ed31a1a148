import Postgres
import Testing
import TestSupport

/// Records what happens, in order.
private actor Diary {
    private(set) var entries: [Int] = []

    func note(_ entry: Int) { entries.append(entry) }
}

@Suite("The pool", .timeLimit(.minutes(2)))
struct PoolTests {
    private let database: TestDatabase
    private let observer: PostgresConnection

    init() async throws {
        database = try await TestDatabase()
        observer = try await PostgresConnection.connect(PostgresConfiguration(database.url, applicationName: "observer"))
    }

    private func pool(_ limit: Int) -> PostgresPool {
        PostgresPool(PostgresConfiguration(database.url, applicationName: "pool"), limit: limit)
    }

    private func sessions() async throws -> Int {
        try await observer.value(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pool' AND datname = current_database()")
    }

    @Test("A transaction begins with its opening statement, and does not run where that fails")
    func opening() async throws {
        let pool = pool(1)
        let setting = try await pool.transaction(opening: "SELECT set_config('spool.opening', 'asked', true)") { transaction in
            try await transaction.value("SELECT current_setting('spool.opening')", [], as: String.self)
        }
        #expect(setting == "asked")
        let error = await #expect(throws: PostgresError.self) {
            try await pool.transaction(opening: "SELECT 1 / 0") { _ in
                Issue.record("the transaction ran")
            }
        }
        #expect(error?.sqlState == "22012")
        #expect(try await pool.value("SELECT 7::bigint", [], as: Int64.self) == 7)
        await pool.close()
    }

    @Test("A session whose transaction waits for its client for too long is ended by the server")
    func idleInTransaction() async throws {
        var configuration = PostgresConfiguration(database.url, applicationName: "pool")
        configuration.idleInTransactionTimeout = .milliseconds(50)
        let connection = try await PostgresConnection.connect(configuration)
        try await connection.executeScript("BEGIN")
        try await observer.wait(
            until: "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pool' AND datname = current_database()")
        await #expect(throws: PostgresError.self) { try await connection.execute("COMMIT") }
    }

    @Test("200 statements at once on four connections each get their own answers")
    func crowd() async throws {
        let pool = pool(4)
        let answers = try await withThrowingTaskGroup(of: (Int64, Int64).self) { group in
            for number in 0..<Int64(200) {
                group.addTask { (number, try await pool.value("SELECT $1 * $1", [.int64(number)], as: Int64.self)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(answers.count == 200)
        #expect(answers.allSatisfy { $0.key * $0.key == $0.value })
        #expect(try await (1...4).contains(sessions()))
        await pool.close()
        try await observer.wait(
            until: "NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'pool' AND datname = current_database())")
    }

    @Test("all connections up to the limit are in use at once, and no more")
    func limit() async throws {
        let pool = pool(3)
        let meeting = MeetingPoint(4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await pool.withConnection { _ in await meeting.meet() } } }
            group.addTask {
                while pool.usage.leased < 3 { try await nextLook() }
                let late = Task { try await pool.value("SELECT 1", as: Int.self) }
                while pool.usage.waiting < 1 { try await nextLook() }
                #expect(pool.usage.leased == 3)
                let open = try await sessions()
                #expect(open <= 3)
                await meeting.meet()
                let answer = try await late.value
                #expect(answer == 1)
            }
            try await group.waitForAll()
        }
        #expect(try await sessions() == 3)
    }

    @Test("waiters are served in order, and a cancelled waiter leaves the queue")
    func fairness() async throws {
        let pool = pool(1)
        let diary = Diary()
        var waiting: [Task<Void, any Error>] = []
        try await pool.withConnection { _ in
            for number in 0..<8 {
                waiting.append(Task { try await pool.withConnection { _ in await diary.note(number) } })
                while pool.usage.waiting <= number { try await nextLook() }
            }
            waiting[2].cancel()
            waiting[5].cancel()
            for number in [2, 5] {
                await #expect(throws: CancellationError.self) { try await waiting[number].value }
            }
            #expect(pool.usage.waiting == 6)
        }
        for number in [0, 1, 3, 4, 6, 7] { try await waiting[number].value }
        #expect(await diary.entries == [0, 1, 3, 4, 6, 7])
        #expect(pool.usage == (0, 0))
    }

    @Test("a connection with a transaction left open is not lent with that transaction")
    func leftOpen() async throws {
        let pool = pool(1)
        try await pool.execute("CREATE TABLE t (id bigint)")
        try await pool.withConnection { connection in
            try await connection.execute("BEGIN")
            try await connection.execute("INSERT INTO t VALUES (1)")
        }
        #expect(try await pool.value("SELECT count(*) FROM t", as: Int.self) == 0)
        try await pool.transaction { _ = try await $0.execute("INSERT INTO t VALUES (2)") }
        #expect(try await observer.value("SELECT count(*) FROM t", as: Int.self) == 1)
    }

    @Test("closing waits for tasks that use a connection, and refuses all others")
    func closing() async throws {
        let pool = pool(1)
        let meeting = MeetingPoint(2)
        let user = Task {
            try await pool.withConnection { connection in
                await meeting.meet()
                await meeting.meet()
                return try await connection.value("SELECT 3", as: Int.self)
            }
        }
        await meeting.meet()
        let waiter = Task { try await pool.query("SELECT 1") }
        while pool.usage.waiting < 1 { try await nextLook() }
        let closing = Task { await pool.close() }
        let refused = await #expect(throws: PostgresError.self) { try await waiter.value }
        #expect(refused?.code == .poolClosed)
        await meeting.meet()
        #expect(try await user.value == 3)
        await closing.value
        let late = await #expect(throws: PostgresError.self) { try await pool.transaction { _ in } }
        #expect(late?.code == .poolClosed && late?.message == "the pool of connections is closed")
        await pool.close()
    }
}
