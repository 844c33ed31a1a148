import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// What an export costs the database must not grow faster than its number of jobs.
@Suite("Exports of many jobs", .serialized)
struct GrowthTests {
    private struct Row {
        var jobs: Int
        var storing: Duration
        var perReport: Duration
    }

    @Test("Storing an export's jobs is linear in their number, and the cost of a report does not depend on it")
    func growth() async throws {
        let database = try await MigratedDatabase.make()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 2)
        let store = PostgresFarmStore(pool)
        let farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        var rows: [Row] = []
        for count in [1000, 2000, 4000, 8000] {
            let film = SampleFilm(pictures: (0..<count).map { "\(count) \($0)" })
            let id = try await farm.probing([])
            let start = ContinuousClock.now
            try await store.startRendering(
                id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            let stored = start.duration(to: .now)
            _ = try await pool.execute("ANALYZE jobs")
            let pictures = try await farm.candidates(perExport: 60).filter { $0.export == id }.map(\.id)
            var fastest = Duration.seconds(100)
            for ticket in try await store.dispatch(pictures, at: farm.now) {
                let before = ContinuousClock.now
                try await farm.finish(ticket)
                fastest = min(fastest, before.duration(to: .now))
            }
            rows.append(Row(jobs: film.jobs.count, storing: stored, perReport: fastest))
            print("\(film.jobs.count) jobs: stored in \(stored), a report takes \(fastest)")
            _ = try await store.cancel(id)
        }
        let (first, last) = (try #require(rows.first), try #require(rows.last))
        #expect(last.storing < first.storing * 8 * 2.5, "eight times as many jobs")
        #expect(last.perReport < first.perReport * 3)
        await pool.close()
    }
}
