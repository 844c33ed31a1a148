import FarmAPI
import Coordinator
import ExportPlan
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// How PostgreSQL finds out whether something needs a stored file.
@Suite("The need of stored files")
struct FileNeedPlanTests {
    @Test("Films and the pictures beside them are found by their indexes, whatever the number of exports")
    func plan() async throws {
        let explained = try await ExplainedStore(filledBy: FileNeedPlanTests.crowd)
        let keys = ["film 10", "picture 10", "film 11", "nothing"].map { ArtifactKey($0) }
        let plan = try await explained.plan(of: "FROM artifacts") { store in
            let records = try await store.artifactRecords(keys, tenant: explained.tenant, FileCutoffs())
            #expect(records.mapValues(\.need) == [keys[0]: .film, keys[1]: .film, keys[2]: .film, keys[3]: nil])
        }
        for index in ["exports_of_film", "exports_of_picture"] {
            #expect(plan.contains { $0.contains(index) }, "\(plan.joined(separator: "\n"))")
        }
        #expect(!plan.contains { $0.contains("Seq Scan on exports") }, "\(plan.joined(separator: "\n"))")
        await explained.pool.close()
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
