import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Postgres
import Synchronization
import TestSupport
import Testing
import FoundationEssentials

/// The statements that batches cost the database.
@Suite("Statements of batches", .serialized)
struct BatchStatementTests {
    @Test("A batch of reports takes as many statements as a small one, also where films are completed")
    func count() async throws {
        try await FarmOnPostgres.run { farm in
            let film = SampleFilm(pictures: (0..<220).map { "\($0)" }, sounds: [])
            _ = try await farm.fixture.rendering(film)
            let tickets = try await farm.fixture.dispatchAll().filter { $0.kind == .video }
            try #require(tickets.count == 220)
            let few = try await farm.statements { try await farm.apply(tickets.prefix(10)) }
            let many = try await farm.statements { try await farm.apply(tickets.dropFirst(10).prefix(100)) }
            #expect(many.count == few.count && few.count > 0)

            func stitches(_ count: Int) async throws -> [JobTicket] {
                for number in 0..<count {
                    _ = try await farm.fixture.rendering(SampleFilm(pictures: ["\(count) \(number)"], sounds: ["\(number)"]))
                }
                var stitches: [JobTicket] = []
                while case let next = try await farm.fixture.dispatchAll(), !next.isEmpty {
                    stitches += next.filter { $0.kind == .stitch }
                    _ = try await farm.apply(next.filter { $0.kind != .stitch }[...])
                }
                return stitches
            }
            let (short, long) = (try await stitches(5), try await stitches(60))
            try #require(short.count == 5 && long.count == 60)
            let fewFilms = try await farm.statements { try await farm.apply(short[...]) }
            let manyFilms = try await farm.statements { try await farm.apply(long[...]) }
            #expect(manyFilms.count == fewFilms.count && fewFilms.count > few.count)
            let states = try await farm.fixture.store.exports(ExportFilter(tenant: nil, state: .completed, limit: 1000))
            #expect(states.count == 65)
        }
    }

    @Test("The sources of an export are read for its first tickets and not again")
    func references() async throws {
        try await FarmOnPostgres.run { farm in
            let id = try await farm.fixture.probing(["holiday"])
            let probe = try #require(try await farm.fixture.dispatchAll().first)
            try await farm.fixture.finish(probe, facts: .sample("holiday"))
            let film = SampleFilm(pictures: ["sea", "hills"], sounds: [])
            try await farm.fixture.store.startRendering(
                id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
            func dispatch(_ ordinal: Int) async throws -> (ticket: JobTicket, reads: Int) {
                let job = try await farm.fixture.job(id, .video, ordinal)
                var tickets: [JobTicket] = []
                let statements = try await farm.statements {
                    tickets = try await farm.fixture.store.dispatch([job.id], at: farm.fixture.now)
                }
                let reads = statements.count { $0.text.contains("FROM export_sources") }
                return (try #require(tickets.first), reads)
            }
            let (first, second) = (try await dispatch(0), try await dispatch(1))
            #expect(first.reads == 1 && second.reads == 0)
            #expect(first.ticket.work.references == [SourceReference(facts: .sample("holiday"), path: "holiday")])
            #expect(second.ticket.work.references == first.ticket.work.references)
        }
    }

    @Test("No statement of the hot path reads a whole table or index, whether the server has statistics or not")
    func plans() async throws {
        try await FarmOnPostgres.run { farm in
            let hot = try await farm.statements {
                let fixture = farm.fixture
                let id = try await fixture.probing(["holiday"])
                let probe = try #require(try await fixture.store.dispatch([fixture.job(id, .probe).id], at: fixture.now).first)
                try await fixture.finish(probe, facts: .sample("holiday"))
                let film = SampleFilm(pictures: ["sea", "hills"], sounds: ["waves"])
                try await fixture.store.startRendering(
                    id, PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount))
                for kinds in [[JobKind.video, .audio], [.soundtrack], [.stitch]] {
                    var jobs: [Int64] = []
                    for kind in kinds { jobs += try await fixture.jobs(id, kind).map(\.id) }
                    let tickets = try await fixture.store.dispatch(jobs, at: fixture.now)
                    try #require(tickets.count == jobs.count)
                    _ = try await fixture.store.apply(
                        tickets.map { JobReport($0.identity, worker: "w1", .started) }, at: fixture.now, jitter: 0)
                    try await farm.apply(tickets[...])
                }
                try #require(try await fixture.state(id) == .completed)
                let other = try await fixture.rendering(SampleFilm(pictures: ["rain"], sounds: []))
                let lost = try await fixture.dispatch(other, .video)
                _ = try await fixture.store.expireLeases([lost.identity], at: fixture.now, jitter: 0)
                _ = try await fixture.store.inFlight()
                let open = try await fixture.store.openExports(after: 100, limit: 20)
                _ = try await fixture.store.openExports(among: Set(open.map(\.id)))
                _ = try await fixture.store.activeJobs(of: open.map(\.id))
            }
            // What a test looks up through the API is not part of the hot path.
            let checked = hot.filter { statement in
                !["count(*) AS jobs, count(*) FILTER (WHERE jobs.state", "role = $4"].contains { statement.text.contains($0) }
            }
            let distinct = Dictionary(checked.map { ($0.text, $0) }) { first, _ in first }.values
            #expect(distinct.count > 20, "\(distinct.count) statements were looked at")
            // A leader may plan its statements while the tables are empty, and use the plans when they are full.
            for statement in distinct { try await farm.expectIndexes(in: statement, "few rows") }
            try await farm.pool.transaction { try await $0.executeScript(BatchStatementTests.crowd(tenant: farm.fixture.tenant)) }
            for statement in distinct { try await farm.expectIndexes(in: statement, "many rows without statistics") }
            for table in BatchStatementTests.tables { try await farm.pool.execute("ANALYZE \(table)") }
            for statement in distinct { try await farm.expectIndexes(in: statement, "many rows with statistics") }
        }
    }

    @Test("The numbers of queues are found without a look at the jobs that were done long ago, which are read once")
    func queues() async throws {
        try await FarmOnPostgres.run { farm in
            try await farm.pool.transaction { transaction in
                try await transaction.executeScript(BatchStatementTests.crowd(tenant: farm.fixture.tenant))
                try await transaction.executeScript(
                    """
                    UPDATE jobs SET state = 'done', started_at = now() - interval '1 day', finished_at = now() - interval '1 day'
                    WHERE kind = 'video' AND ordinal > 2;
                    UPDATE jobs SET state = 'done', started_at = now(), finished_at = now() WHERE kind = 'video' AND ordinal = 2
                    """)
            }
            let statements = try await farm.statements { _ = try await farm.fixture.store.queues(at: farm.fixture.now) }
            let statement = try #require(statements.first { $0.text.contains("finished_at") })
            let text = statement.text.replacing("$1", with: "now() - interval '60 s'")
                .replacing("$2", with: "now() - interval '3600 s'").replacing("$3", with: "ARRAY['video', 'audio', 'stitch']")
            let plan = try await farm.pool.transaction { transaction in
                // Operators' connections plan as PostgreSQL does by itself.
                try await transaction.executeScript("SET LOCAL enable_seqscan = on; SET LOCAL enable_bitmapscan = on")
                return try await transaction.query("EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) \(text)")
                    .map { try $0.get("QUERY PLAN", as: String.self) }
            }
            #expect(!plan.contains { $0.contains("jobs_of_export") }, "\(plan.joined(separator: "\n"))")
            #expect(plan.contains { $0.contains("jobs_finished") }, "\(plan.joined(separator: "\n"))")
            // The jobs of the last minute, which all are of one role here.
            #expect(plan.count { $0.contains("rows=3000 loops=1") } >= 2, "\(plan.joined(separator: "\n"))")
        }
    }

    fileprivate static let tables = ["jobs", "attempts", "exports", "events", "export_sources", "artifacts"]

    /// 3000 exports with 30 000 jobs, a few of them running, the others ready or waiting.
    private static func crowd(tenant: Int64) -> String {
        """
        INSERT INTO drafts (tenant_id) VALUES (\(tenant));
        INSERT INTO draft_revisions (draft_id, revision, content) SELECT max(id), 1, '{}' FROM drafts;
        INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state,
          film_key, frame_count)
        SELECT md5('e' || n)::uuid, \(tenant), (SELECT max(id) FROM drafts), 1, 'x', '{}',
          jsonb_build_object('note', repeat('x', 300)), 0, 'default', 'rendering', md5('stitch' || n), 30
        FROM generate_series(1, 3000) AS n;
        INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool,
          state, attempt, ready_at, dispatched_at)
        SELECT md5('e' || n)::uuid, \(tenant), 'video', 'video', o, md5('v' || n || '.' || o),
          jsonb_build_object('note', repeat(md5(n::text), 20)), 30, 2, 0, 'default',
          CASE WHEN n % 30 = 0 AND o < 2 THEN 'running' ELSE 'ready' END, CASE WHEN n % 30 = 0 AND o < 2 THEN 1 ELSE 0 END,
          now(), CASE WHEN n % 30 = 0 AND o < 2 THEN now() END
        FROM generate_series(1, 3000) AS n, generate_series(0, 7) AS o;
        INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool,
          state)
        SELECT md5('e' || n)::uuid, \(tenant), kind, role, 0, md5(kind || n), '{}', 30, 2, 0, 'default', 'waiting'
        FROM generate_series(1, 3000) AS n, (VALUES ('soundtrack', 'audio'), ('stitch', 'stitch')) AS kinds(kind, role);
        INSERT INTO attempts (job_id, number, state) SELECT id, 1, 'running' FROM jobs WHERE state = 'running' ON CONFLICT DO NOTHING;
        INSERT INTO attempts (job_id, number, state, finished_at) SELECT id, 1, 'lost', now() FROM jobs WHERE state = 'ready'
        ON CONFLICT DO NOTHING;
        UPDATE jobs SET attempt = 1 WHERE state = 'ready';
        INSERT INTO export_sources (export_id, location, facts)
        SELECT id, 'source ' || o, '{}' FROM exports, generate_series(1, 4) AS o;
        INSERT INTO events (export_id, kind, message) SELECT id, 'submitted', 'x' FROM exports, generate_series(1, 5);
        INSERT INTO artifacts (tenant_id, key, kind) SELECT \(tenant), md5('old' || n), 'video' FROM generate_series(1, 5000) AS n;
        """
    }
}

/// A farm on a database of its own whose statements are recorded.
private struct FarmOnPostgres: Sendable {
    let pool: PostgresPool
    let fixture: StoreFixture
    let log: StatementLog

    static func run(_ body: (FarmOnPostgres) async throws -> Void) async throws {
        let database = try await MigratedDatabase.make()
        let log = StatementLog()
        let pool = PostgresPool(PostgresConfiguration(database).forLeader(), limit: 2, observer: { log.add($0) })
        let store = PostgresFarmStore(pool)
        let fixture = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        try await body(FarmOnPostgres(pool: pool, fixture: fixture, log: log))
        await pool.close()
    }

    /// The statements that `body` runs, in order.
    func statements(_ body: () async throws -> Void) async throws -> [PostgresStatement] {
        log.clear()
        try await body()
        return log.statements
    }

    /// Applies a success of each ticket, as one batch.
    func apply(_ tickets: ArraySlice<JobTicket>) async throws {
        let reports = tickets.map { JobReport($0.identity, worker: "w1", .finished(result: JobResult(), reused: false)) }
        _ = try await fixture.store.apply(reports, at: fixture.now, jitter: 0)
    }

    /// Expects that a statement, planned as the leader's connections plan it, reads no table from beginning to end, and
    /// no index either.
    func expectIndexes(in statement: PostgresStatement, _ moment: String) async throws {
        let plan = try await pool.transaction { transaction in
            try await transaction.executeScript("PREPARE explained AS \(statement.text)")
            // The plan does not depend on the values.
            let nulls = statement.parameters.map { _ in "NULL" }.joined(separator: ", ")
            let values = nulls.isEmpty ? "" : "(\(nulls))"
            let rows = try await transaction.query("EXPLAIN (COSTS OFF) EXECUTE explained\(values)")
            try await transaction.executeScript("DEALLOCATE explained")
            return try rows.map { try $0.get("QUERY PLAN", as: String.self) }
        }
        for (place, line) in plan.enumerated() {
            for table in BatchStatementTests.tables {
                #expect(
                    !line.contains("Seq Scan on \(table)"),
                    "\(moment)\n\(statement.text)\n\(plan.joined(separator: "\n"))")
            }
            // An index that is read without a condition is read whole, unless its order ends the search early.
            guard line.contains("Index") && line.contains("Scan"), !line.contains("jobs_one_render") else { continue }
            let next = plan.indices.contains(place + 1) ? plan[place + 1] : ""
            #expect(next.contains("Index Cond:"), "\(moment)\n\(statement.text)\n\(plan.joined(separator: "\n"))")
        }
    }
}

/// The statements that the connections of a pool have sent.
private final class StatementLog: Sendable {
    private let sent = Mutex<[PostgresStatement]>([])

    func add(_ statement: PostgresStatement) { sent.withLock { $0.append(statement) } }

    func clear() { sent.withLock { $0 = [] } }

    var statements: [PostgresStatement] { sent.withLock { $0 } }
}
