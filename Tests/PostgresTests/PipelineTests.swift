import Postgres
import Testing

@Suite("Pipelines", .timeLimit(.minutes(2)))
struct PipelineTests {
    private let connection: PostgresConnection

    init() async throws {
        connection = try await TestDatabase().connect()
        try await connection.executeScript("CREATE TABLE t (id bigint CONSTRAINT t_key PRIMARY KEY, word text)")
    }

    private func count() async throws -> Int { try await connection.value("SELECT count(*) FROM t", as: Int.self) }

    @Test("results come in the order of the statements")
    func order() async throws {
        let results = try await connection.pipeline([
            PostgresStatement("INSERT INTO t VALUES ($1, $2), ($3, NULL)", [1, "one", 2]),
            PostgresStatement("SELECT id, word FROM t ORDER BY id"),
            PostgresStatement("DELETE FROM t WHERE id = $1", [1]),
            PostgresStatement("SELECT id FROM t"),
        ])
        #expect(results.map(\.affectedRows) == [2, 2, 1, 1])
        #expect(try results[1].rows[0].get("word", as: String.self) == "one")
        #expect(try results[3].rows[0].get("id", as: Int.self) == 2)
        #expect(try await connection.pipeline([]).isEmpty)
    }

    @Test("a failing statement fails the whole pipeline, and the error says which statement it was")
    func failure() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await connection.pipeline([
                PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("INSERT INTO t VALUES (2)"),
                PostgresStatement("INSERT INTO t VALUES ($1)", [1]), PostgresStatement("INSERT INTO t VALUES (4)"),
            ])
        }
        #expect(error?.code == .uniqueViolation)
        #expect(error?.statementIndex == 2)
        #expect(error?.statement == "INSERT INTO t VALUES ($1)")
        #expect(error?.description.contains("in statement 2 of a pipeline: INSERT INTO t VALUES ($1)") == true)
        #expect(try await count() == 0)
    }

    @Test("a deferred constraint undoes the pipeline as well")
    func deferred() async throws {
        try await connection.executeScript("CREATE TABLE d (id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.pipeline([
                PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("INSERT INTO d VALUES (1), (1)"),
                PostgresStatement("SELECT 1"),
            ])
        }
        #expect(error?.code == .uniqueViolation)
        #expect(try await count() == 0)
    }

    @Test("a pipeline in a transaction belongs to the transaction")
    func inTransaction() async throws {
        try await connection.transaction { transaction in
            _ = try await transaction.pipeline([PostgresStatement("INSERT INTO t VALUES (1)")])
            await #expect(throws: PostgresError.self) {
                try await transaction.savepoint { savepoint in
                    _ = try await savepoint.pipeline([
                        PostgresStatement("INSERT INTO t VALUES (2)"), PostgresStatement("SELECT 1 / 0"),
                    ])
                }
            }
        }
        #expect(try await count() == 1)
    }

    @Test("a pipeline whose statements and answers fill every buffer completes")
    func large() async throws {
        let word = String(repeating: "w", count: 20_000)
        let results = try await connection.pipeline(
            (0..<1000).map { PostgresStatement("SELECT $1 || $2::text AS word", [.text(word), .text("\($0)")]) })
        #expect(results.count == 1000)
        for (index, result) in results.enumerated() {
            let found = try result.rows[0].get("word", as: String.self)
            #expect(found.utf8.count == 20_000 + "\(index)".utf8.count && found.hasSuffix("w\(index)"))
        }
    }

    @Test("a caller's mistake leaves the connection as it was")
    func zeroByte() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await connection.pipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT $1", ["\0"])])
        }
        #expect(error?.code == .misuse)
        #expect(try await count() == 0)
    }
}
