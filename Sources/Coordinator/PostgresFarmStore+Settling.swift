import ExportPlan
import JobQueue
import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a finished job means for others: whoever waits for the same artifact has it, jobs that needed it may go, and an
/// export whose film is stitched is complete.
extension PostgresTransaction {
    /// Notes a finished job's artifact (of a probe what it found), and ends every open job of the tenant for the same one that
    /// is not under way itself; one that is will find the artifact.
    func share(_ done: LockedJob, _ facts: SourceFacts?, at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        if done.kind != .probe {
            try await execute(
                "INSERT INTO artifacts (tenant_id, key, kind) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                [.int64(done.tenant), .text(done.key.text), .text(done.kind.rawValue)])
        }
        let sharers = try await query(
            """
            UPDATE jobs SET state = 'done', reused = true, finished_at = $3
            WHERE tenant_id = $1 AND artifact_key = $2 AND state IN ('waiting', 'ready') RETURNING export_id
            """, [.int64(done.tenant), .text(done.key.text), .timestamp(now)]
        ).map { try $0.exportID("export_id") }
        effects.hasNews = !sharers.isEmpty
        var affected = Set(sharers)
        if done.lifecycle.state == .done { affected.insert(done.export) }
        if let facts, let location = done.location { try await note(facts, location, done.tenant, affected) }
        effects.merge(try await settle(affected.sorted(), at: now))
        try await announce(affected.sorted())
        return effects
    }

    private func note(_ facts: SourceFacts, _ location: String, _ tenant: Int64, _ exports: Set<ExportID>) async throws {
        let json = try PostgresFarmStore.json(facts)
        try await execute(
            "UPDATE assets SET facts = $3 WHERE tenant_id = $1 AND 'asset:' || hash = $2",
            [.int64(tenant), .text(location), json])
        try await execute(
            """
            INSERT INTO export_sources (export_id, location, facts) SELECT id, $2, $3 FROM unnest($1::uuid[]) AS id
            ON CONFLICT (export_id, location) DO UPDATE SET facts = excluded.facts, fault = NULL
            """, [.textArray(exports.map(\.text)), .text(location), json])
    }

    /// Makes jobs ready that have all they need, and completes exports whose film is there.
    func settle(_ exports: [ExportID], at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        let ids = PostgresValue.textArray(exports.map(\.text))
        let needs = JobKind.allCases.flatMap { kind in kind.needs.map { (kind: kind.rawValue, needed: $0.rawValue) } }
        let unlocked = try await execute(
            """
            UPDATE jobs SET state = 'ready', ready_at = $2
            WHERE export_id = ANY($1::uuid[]) AND state = 'waiting' AND NOT EXISTS (
              SELECT FROM jobs AS needed WHERE needed.export_id = jobs.export_id AND needed.state <> 'done'
                AND (jobs.kind, needed.kind) IN (SELECT * FROM unnest($3::text[], $4::text[])))
            """, [ids, .timestamp(now), .textArray(needs.map(\.kind)), .textArray(needs.map(\.needed))])
        effects.hasNews = unlocked > 0
        let complete = try await query(
            """
            SELECT id FROM exports WHERE id = ANY($1::uuid[]) AND state = 'rendering'
              AND EXISTS (SELECT FROM jobs WHERE export_id = exports.id AND kind = 'stitch' AND jobs.state = 'done')
            """, [ids]
        ).map { try $0.exportID("id") }
        for export in complete {
            effects.toCancel += try await end(export, as: .completed, failure: nil, "the film is there", at: now) ?? []
        }
        return effects
    }
}
