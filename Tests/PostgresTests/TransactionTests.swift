import Postgres
import Testing

@Suite("Transactions", .timeLimit(.minutes(2)))
struct TransactionTests {
    private struct Refusal: Error, Equatable {
        var number = 1
    }

    private let connection: PostgresConnection
    private let other: PostgresConnection

    init() async throws {
        let database = try await TestDatabase()
        connection = try await database.connect()
        other = try await database.connect()
        try await connection.executeScript(
            """
            CREATE TABLE t (id bigint CONSTRAINT t_key PRIMARY KEY, amount bigint NOT NULL DEFAULT 0);
            INSERT INTO t VALUES (1), (2);
            """)
    }

    private func ids() async throws -> [Int64] {
        try await other.query("SELECT id FROM t ORDER BY id").map { try $0.get("id") }
    }

    @Test("changes last when the closure returns, and nobody sees them before")
    func commits() async throws {
        let inserted = try await connection.transaction { transaction in
            let inserted = try await transaction.execute("INSERT INTO t VALUES (3), (4)")
            #expect(try await ids() == [1, 2])
            return inserted
        }
        #expect(inserted == 2)
        #expect(try await ids() == [1, 2, 3, 4])
    }

    @Test("nothing lasts when the closure throws, and the connection goes on")
    func rollsBack() async throws {
        await #expect(throws: Refusal()) {
            try await connection.transaction { transaction in
                try await transaction.execute("DELETE FROM t")
                throw Refusal()
            }
        }
        #expect(try await ids() == [1, 2])
        #expect(try await connection.execute("INSERT INTO t VALUES (3)") == 1)
    }

    @Test("an error that the closure hides is thrown by the commit, which cannot be done")
    func hiddenError() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (3)")
                _ = try? await transaction.execute("INSERT INTO t VALUES (1)")  // hidden on purpose
                _ = try? await transaction.execute("SELECT 'never reached'")  // hidden on purpose
            }
        }
        #expect(error?.code == .uniqueViolation)
        #expect(error?.statement == "INSERT INTO t VALUES (1)")
        #expect(try await ids() == [1, 2])
    }

    @Test("a savepoint fails alone, hidden errors included, and its transaction goes on")
    func savepoints() async throws {
        try await connection.transaction { transaction in
            try await transaction.execute("INSERT INTO t VALUES (3)")
            let error = await #expect(throws: PostgresError.self) {
                try await transaction.savepoint { inner in
                    try await inner.execute("INSERT INTO t VALUES (4)")
                    try await inner.savepoint { _ = try await $0.execute("INSERT INTO t VALUES (5)") }
                    _ = try? await inner.execute("INSERT INTO t VALUES (1)")  // hidden on purpose
                }
            }
            #expect(error?.code == .uniqueViolation)
            try await transaction.savepoint { _ = try await $0.execute("INSERT INTO t VALUES (6)") }
        }
        #expect(try await ids() == [1, 2, 3, 6])
    }

    @Test("a savepoint that its own statements have ended fails the transaction, even where the error is hidden")
    func endedSavepoint() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (3)")
                try? await transaction.savepoint { inner in  // hidden on purpose
                    try await inner.execute("RELEASE SAVEPOINT spool")
                    throw Refusal()
                }
            }
        }
        #expect(error?.sqlState == "25P02")
        #expect(error?.message == "the transaction has failed, and nothing of it can be committed")
        #expect(try await ids() == [1, 2])
    }

    @Test("a deferred constraint fails the commit")
    func deferred() async throws {
        try await connection.executeScript(
            "CREATE TABLE d (id bigint CONSTRAINT d_key UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        for attempt in 0..<2 {
            let error = await #expect(throws: PostgresError.self) {
                if attempt == 0 {
                    _ = try await connection.execute("INSERT INTO d VALUES (1), (1)")
                } else {
                    _ = try await connection.transaction { try await $0.execute("INSERT INTO d VALUES (1), (1)") }
                }
            }
            #expect(error?.constraint == "d_key")
        }
        #expect(try await other.value("SELECT count(*) FROM d", as: Int.self) == 0)
    }

    @Test("the connection itself is refused inside a transaction, and a transaction after its end")
    func misuse() async throws {
        let ended = try await connection.transaction { transaction in
            let error = await #expect(throws: PostgresError.self) { try await connection.execute("DELETE FROM t") }
            #expect(error?.message == "the connection is inside a transaction; use the transaction itself")
            return transaction
        }
        let error = await #expect(throws: PostgresError.self) { try await ended.execute("DELETE FROM t") }
        #expect(error?.message == "the transaction has ended")
        #expect(try await ids() == [1, 2])
    }

    @Test("a transaction that conflicts with another runs again, and then sees what the other did")
    func serializationFailure() async throws {
        var attempts = 0
        let sum = try await connection.transaction(isolation: .serializable, attempts: 3) { transaction in
            attempts += 1
            let sum = try await transaction.value("SELECT sum(amount) FROM t", as: Int64.self)
            if attempts == 1 {
                // Each transaction reads what the other writes. If they ran one after the other, one of them would see
                // the other's sum.
                try await other.transaction(isolation: .serializable) { other in
                    let sum = try await other.value("SELECT sum(amount) FROM t", as: Int64.self)
                    try await other.execute("UPDATE t SET amount = $1 WHERE id = 2", [.int64(sum + 10)])
                }
            }
            try await transaction.execute("UPDATE t SET amount = $1 WHERE id = 1", [.int64(sum + 1)])
            return sum
        }
        #expect(attempts == 2)
        #expect(sum == 10)
        #expect(try await other.value("SELECT amount FROM t WHERE id = 1", as: Int64.self) == 11)
    }

    @Test("without another attempt the caller gets the conflict, with its code")
    func conflictThrown() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await connection.transaction(isolation: .repeatableRead) { transaction in
                _ = try await transaction.query("SELECT * FROM t")
                try await other.execute("UPDATE t SET amount = 1")
                try await transaction.execute("UPDATE t SET amount = 2")
            }
        }
        #expect(error?.code == .serializationFailure)
        #expect(error?.isConflict == true)
        #expect(error?.statement == "UPDATE t SET amount = 2")
    }

    @Test("one of two transactions in a deadlock runs again, and both succeed")
    func deadlock() async throws {
        let meeting = MeetingPoint(2)
        @Sendable func run(_ connection: PostgresConnection, _ first: Int64, _ second: Int64) async throws -> Int {
            var attempts = 0
            try await connection.transaction(attempts: 5) { transaction in
                attempts += 1
                try await transaction.execute("SET LOCAL deadlock_timeout = '10ms'")
                try await transaction.execute("UPDATE t SET amount = amount + 1 WHERE id = $1", [.int64(first)])
                if attempts == 1 { await meeting.meet() }
                try await transaction.execute("UPDATE t SET amount = amount + 1 WHERE id = $1", [.int64(second)])
            }
            return attempts
        }
        async let one = run(connection, 1, 2)
        async let two = run(other, 2, 1)
        let attempts = try await [one, two]
        #expect(attempts.reduce(0, +) >= 3)
        #expect(try await other.value("SELECT array_agg(amount) FROM t", as: [Int64].self) == [2, 2])
    }
}
