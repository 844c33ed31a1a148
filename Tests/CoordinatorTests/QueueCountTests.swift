import FarmAPI
import Coordinator
import ExportPlan
import Postgres
import TestSupport
import Testing

@Suite("Counts of open jobs in PostgreSQL")
struct QueueCountTests {
    @Test("The counts are those of the table, whichever connection changed jobs, and after they are added up")
    func counts() async throws {
        let pool = PostgresPool(PostgresConfiguration(try await MigratedDatabase.make()), limit: 4)
        let store = PostgresFarmStore(pool)
        let fixture = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        let film = SampleFilm(pictures: ["sea", "hills", "rain"], sounds: ["waves"])
        let first = try await fixture.rendering(film)
        _ = try await fixture.dispatch(first, .video)
        #expect(try await counted(pool) == inTable(pool))
        #expect(try await counted(pool)["video dispatched"] == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let export = try await fixture.rendering(SampleFilm(pictures: ["\(number)"], sounds: []))
                    if number.isMultiple(of: 3) { _ = try await store.cancel(export) }
                }
            }
            for _ in 0..<5 { group.addTask { try await store.addUpQueueCounts() } }
            try await group.waitForAll()
        }
        #expect(try await counted(pool) == inTable(pool))
        try await store.addUpQueueCounts()
        #expect(try await counted(pool) == inTable(pool))
        let backends = try await pool.query("SELECT count(DISTINCT backend) AS backends FROM queue_counts").first
        #expect(try backends?.get("backends", as: Int.self) == 1)
        // Rows that vanish without becoming terminal first.
        try await pool.execute("DELETE FROM attempts")
        try await pool.execute("DELETE FROM events")
        try await pool.execute("DELETE FROM jobs WHERE kind = 'video'")
        #expect(try await counted(pool) == inTable(pool))
        #expect(try await counted(pool).keys.allSatisfy { !$0.hasPrefix("video") })
        await pool.close()
    }

    private func counted(_ pool: PostgresPool) async throws -> [String: Int] {
        try await counts(pool, "SELECT role, state, sum(jobs)::bigint AS jobs FROM queue_counts GROUP BY role, state")
    }

    private func inTable(_ pool: PostgresPool) async throws -> [String: Int] {
        try await counts(
            pool,
            """
            SELECT role, state, count(*) AS jobs FROM jobs WHERE state IN ('waiting', 'ready', 'dispatched', 'running')
            GROUP BY role, state
            """)
    }

    private func counts(_ pool: PostgresPool, _ statement: String) async throws -> [String: Int] {
        let rows = try await pool.query(statement).map { row in
            (
                "\(try row.get("role", as: String.self)) \(try row.get("state", as: String.self))",
                try row.get("jobs", as: Int.self)
            )
        }
        return Dictionary(uniqueKeysWithValues: rows.filter { $0.1 != 0 })
    }
}
