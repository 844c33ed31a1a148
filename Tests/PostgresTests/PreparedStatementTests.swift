import Postgres
import Synchronization
import Testing

@Suite("Prepared statements", .timeLimit(.minutes(2)))
struct PreparedStatementTests {
    @Test("beyond the limit the statement that was not used for longest is removed")
    func eviction() {
        var statements = PreparedStatements(limit: 2)
        let keys = ["a", "b", "c"].map { PreparedStatements.Key(statement: $0, types: []) }
        let names = keys.map { _ in statements.newName() }
        #expect(Set(names).count == 3)
        #expect(statements.add(keys[0], name: names[0]) == nil)
        #expect(statements.add(keys[1], name: names[1]) == nil)
        #expect(statements.name(of: keys[0]) == names[0])
        #expect(statements.add(keys[2], name: names[2]) == names[1])
        #expect(statements.name(of: keys[1]) == nil)
        #expect(statements.name(of: keys[0]) == names[0])
        #expect(statements.name(of: PreparedStatements.Key(statement: "a", types: [20])) == nil)
        statements.remove(keys[0])
        #expect(statements.count == 1)
    }

    @Test("the server keeps one prepared statement for one text, and no more than the limit")
    func onServer() async throws {
        let database = try await TestDatabase()
        let connection = try await PostgresConnection.connect(database.configuration, statementLimit: 3)
        let count = "SELECT count(*) FROM pg_prepared_statements WHERE NOT statement LIKE '%pg_prepared_statements%'"
        for number: Int64 in 0..<5 {
            #expect(try await connection.value("SELECT $1", [.int64(number)], as: Int64.self) == number)
        }
        #expect(try await connection.value(count, as: Int.self) == 1)
        for number in 0..<20 { #expect(try await connection.value("SELECT \(number)", as: Int.self) == number) }
        #expect(try await connection.value(count, as: Int.self) == 2)
    }

    @Test("a statement still works after its table changed or prepared statements were discarded")
    func stalePlans() async throws {
        let database = try await TestDatabase()
        let connection = try await database.connect()
        try await connection.executeScript("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)")
        #expect(try await connection.query("SELECT * FROM t")[0].columnNames == ["a"])
        try await connection.executeScript("ALTER TABLE t ADD COLUMN b text DEFAULT 'x'")
        #expect(try await connection.query("SELECT * FROM t")[0].columnNames == ["a", "b"])
        try await connection.executeScript("DEALLOCATE ALL")
        #expect(try await connection.query("SELECT * FROM t")[0].columnNames == ["a", "b"])
    }

    @Test("pipelines prepare each statement once and within the limit, and go on after a failed one")
    func pipelines() async throws {
        let database = try await TestDatabase()
        let connection = try await PostgresConnection.connect(database.configuration, statementLimit: 3)
        let count = "SELECT count(*) FROM pg_prepared_statements WHERE NOT statement LIKE '%pg_prepared_statements%'"
        func values(_ results: [PostgresResult]) throws -> [Int] { try results.map { try $0.rows[0].get("n", as: Int.self) } }
        for number: Int64 in 0..<3 {
            let twice = [number, number + 10].map { PostgresStatement("SELECT $1::bigint AS n", [.int64($0)]) }
            #expect(try await values(connection.pipeline(twice)) == [Int(number), Int(number) + 10])
        }
        #expect(try await connection.value(count, as: Int.self) == 1)
        let many = (0..<8).map { PostgresStatement("SELECT \($0)::bigint AS n") }
        #expect(try await values(connection.pipeline(many)) == Array(0..<8))
        #expect(try await connection.value(count, as: Int.self) == 2)
        await #expect(throws: PostgresError.self) {
            try await connection.pipeline([many[0], PostgresStatement("SELECT 1 / 0 AS n"), many[1]])
        }
        #expect(try await values(connection.pipeline([many[1], many[0]])) == [1, 0])
    }

    @Test("a pipeline still works after its table changed or prepared statements were discarded")
    func stalePipelines() async throws {
        let connection = try await TestDatabase().connect()
        try await connection.executeScript("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)")
        let both = [PostgresStatement("SELECT 1 AS one"), PostgresStatement("SELECT * FROM t")]
        #expect(try await connection.pipeline(both)[1].rows[0].columnNames == ["a"])
        try await connection.executeScript("ALTER TABLE t ADD COLUMN b text DEFAULT 'x'")
        #expect(try await connection.pipeline(both)[1].rows[0].columnNames == ["a", "b"])
        try await connection.executeScript("DEALLOCATE ALL")
        #expect(try await connection.pipeline(both)[1].rows[0].columnNames == ["a", "b"])
    }

    @Test("an observer sees every statement with its parameters, those of pipelines and transactions too")
    func observer() async throws {
        let database = try await TestDatabase()
        let seen = Mutex<[PostgresStatement]>([])
        let pool = PostgresPool(
            database.configuration, limit: 1, observer: { statement in seen.withLock { $0.append(statement) } })
        let one = PostgresStatement("SELECT $1::bigint AS a", [.int64(1)])
        let two = PostgresStatement("SELECT $1::bigint AS b", [.int64(2)])
        _ = try await pool.query(one.text, one.parameters)
        _ = try await pool.transaction { try await $0.pipeline([two, one]) }
        #expect(seen.withLock { $0 } == [one, two, one])
        await pool.close()
    }
}
