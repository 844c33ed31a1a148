import Postgres
import Testing

@Suite("The planning of statements", .timeLimit(.minutes(1)))
struct PlanningTests {
    @Test("Neither compiles a statement nor gives parts of it to other processes, whatever it seems to cost")
    func plans() async throws {
        let database = try await TestDatabase()
        var byKey = database.configuration
        byKey.plansByKey = true
        for configuration in [database.configuration, byKey] {
            let connection = try await PostgresConnection.connect(configuration)
            // By cost alone PostgreSQL would do both.
            try await connection.executeScript(
                """
                SET jit_above_cost = 0;
                SET parallel_setup_cost = 0;
                SET parallel_tuple_cost = 0;
                SET min_parallel_table_scan_size = 0;
                CREATE TABLE many AS SELECT generate_series(1, 200000) AS number;
                ANALYZE many
                """)
            let plan = try await connection.query(
                "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) SELECT count(*) FROM many AS a JOIN many AS b USING (number)")
            let lines = try plan.map { try $0.get("QUERY PLAN", as: String.self) }
            #expect(lines.contains { $0.contains("Scan on many") })
            #expect(!lines.contains { $0.contains("JIT") || $0.contains("Gather") }, "\(lines.joined(separator: "\n"))")
            try await connection.executeScript("DROP TABLE many")
        }
    }
}
