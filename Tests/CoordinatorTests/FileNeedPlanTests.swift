import FarmAPI
import Coordinator
import ExportPlan
import Postgres
import Synchronization
import TestSupport
import Testing
import FoundationEssentials

/// How PostgreSQL finds out whether something needs a stored file.
@Suite("The need of stored files")
struct FileNeedPlanTests {
    @Test("Films and the pictures beside them are found by their indexes, whatever the number of exports")
    func plan() async throws {
        let database = try await MigratedDatabase.make()
        let sent = Mutex<[PostgresStatement]>([])
        let pool = PostgresPool(
            PostgresConfiguration(database), limit: 2, observer: { statement in sent.withLock { $0.append(statement) } })
        let store = PostgresFarmStore(pool)
        let tenant = try await store.createTenant("studio", weight: 1).id
        try await pool.transaction { try await $0.executeScript(FileNeedPlanTests.crowd(tenant: tenant)) }
        sent.withLock { $0 = [] }
        let keys = ["film 10", "picture 10", "film 11", "nothing"].map { ArtifactKey($0) }
        let records = try await store.artifactRecords(keys, tenant: tenant, FileCutoffs())
        #expect(records.mapValues(\.need) == [keys[0]: .film, keys[1]: .film, keys[2]: .film, keys[3]: nil])
        let statement = try #require(sent.withLock { $0.first { $0.text.contains("FROM artifacts") } })
        let plan = try await pool.transaction { transaction in
            try await transaction.query("EXPLAIN (COSTS OFF) \(statement.text)", statement.parameters)
                .map { try $0.get("QUERY PLAN", as: String.self) }
        }
        for index in ["exports_of_film", "exports_of_picture"] {
            #expect(plan.contains { $0.contains(index) }, "\(plan.joined(separator: "\n"))")
        }
        #expect(!plan.contains { $0.contains("Seq Scan on exports") }, "\(plan.joined(separator: "\n"))")
        await pool.close()
    }

    /// 20 000 completed exports, of which each tenth has a picture beside its film, and the artifacts of some.
    private static func crowd(tenant: Int64) -> String {
        """
        INSERT INTO drafts (tenant_id) VALUES (\(tenant));
        INSERT INTO draft_revisions (draft_id, revision, content) SELECT max(id), 1, '{}' FROM drafts;
        INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state,
          finished_at, film_key, pictures, picture_keys)
        SELECT md5('e' || n)::uuid, \(tenant), (SELECT max(id) FROM drafts), 1, 'x', '{}', '{}', 0, 'default', 'completed',
          now(), 'film ' || n, CASE WHEN n % 10 = 0 THEN '{}'::jsonb END, CASE WHEN n % 10 = 0 THEN ARRAY['picture ' || n] END
        FROM generate_series(1, 20000) AS n;
        INSERT INTO artifacts (tenant_id, key, kind)
        SELECT \(tenant), kind || n, 'stitch' FROM generate_series(1, 2000) AS n, unnest(ARRAY['film ', 'picture ']) AS kind;
        INSERT INTO artifacts (tenant_id, key, kind) VALUES (\(tenant), 'nothing', 'video');
        ANALYZE exports;
        ANALYZE artifacts;
        """
    }
}
