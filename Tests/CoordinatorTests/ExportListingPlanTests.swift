import FarmAPI
import Coordinator
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// How PostgreSQL finds the exports that a filter leaves.
@Suite("Lists of exports by tags, metadata and batch")
struct ExportListingPlanTests {
    @Test("A list uses the index of what it is narrowed by, and an export without tags or batch is in none of these indexes")
    func plans() async throws {
        let explained = try await ExplainedStore(filledBy: ExportListingPlanTests.crowd)
        for (filter, index) in [
            (ExportFilter(tags: ["customer": "c7"]), "exports_with_tags"),
            (ExportFilter(state: .submitted, tags: ["customer": "c7", "lang": "de"]), "exports_with_tags"),
            (ExportFilter(metadata: .object(["order": .number(7)])), "exports_with_metadata"),
            (ExportFilter(batch: BatchID()), "exports_of_batch"),
        ] {
            var filter = filter
            filter.tenant = explained.tenant
            let wanted = filter
            let plan = try await explained.plan(of: "FROM exports CROSS JOIN") { _ = try await $0.exports(wanted) }
            #expect(plan.contains { $0.contains(index) }, "\(plan.joined(separator: "\n"))")
            #expect(!plan.contains { $0.contains("Seq Scan on exports") }, "\(plan.joined(separator: "\n"))")
        }
        let plain = try await explained.pool.query(
            """
            SELECT (SELECT count(*) FROM exports) AS all_exports, (SELECT reltuples::bigint FROM pg_class WHERE relname = 'exports_with_tags') AS tagged,
              (SELECT reltuples::bigint FROM pg_class WHERE relname = 'exports_of_batch') AS of_batch
            """
        ).first
        let row = try #require(plain)
        #expect(try row.get("all_exports", as: Int.self) == 20_000)
        #expect(try row.get("tagged", as: Int.self) <= 2000 && row.get("of_batch", as: Int.self) == 0)
        await explained.pool.close()
    }

    /// 20 000 exports, of which each tenth has tags and metadata.
    private static func crowd(tenant: Int64) -> String {
        """
        INSERT INTO drafts (tenant_id) VALUES (\(tenant));
        INSERT INTO draft_revisions (draft_id, revision, content) SELECT max(id), 1, '{}' FROM drafts;
        INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, tags,
          metadata)
        SELECT md5('e' || n)::uuid, \(tenant), (SELECT max(id) FROM drafts), 1, 'x', '{}', '{}', 0, 'default', 'submitted',
          CASE WHEN n % 10 = 0 THEN jsonb_build_object('customer', 'c' || n / 100, 'lang', 'de') END,
          CASE WHEN n % 10 = 0 THEN jsonb_build_object('order', n / 100) END
        FROM generate_series(1, 20000) AS n;
        ANALYZE exports;
        """
    }
}
