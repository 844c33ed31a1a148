import DraftCompiler
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
    func share(_ done: LockedJob, _ result: JobResult, at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        if done.kind != .probe {
            try await execute(
                """
                INSERT INTO artifacts (tenant_id, key, kind, warnings) VALUES ($1, $2, $3, $4)
                ON CONFLICT (tenant_id, key) DO UPDATE SET warnings = excluded.warnings
                  WHERE artifacts.warnings IS DISTINCT FROM excluded.warnings
                """,
                [
                    .int64(done.tenant), .text(done.key.text), .text(done.kind.rawValue),
                    try result.warnings.map(PostgresFarmStore.json) ?? .null,
                ])
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
        if let facts = result.facts, let location = done.location { try await note(facts, location, done.tenant, affected) }
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
            ON CONFLICT (export_id, location_key) DO UPDATE SET facts = excluded.facts, fault = NULL
            """, [.textArray(exports.map(\.text)), .text(location), json])
    }

    /// Makes jobs ready that have all they need, and completes exports whose film is there.
    ///
    /// Looks at kinds of jobs and not at each job: whether anything of a kind is unfinished is one step in an index, so what a
    /// report costs does not depend on how many jobs its export has.
    func settle(_ exports: [ExportID], at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        let ids = PostgresValue.textArray(exports.map(\.text))
        let needs = JobKind.allCases.flatMap { kind in kind.needs.map { (kind: kind.rawValue, needed: $0.rawValue) } }
        let unlocked = try await execute(
            """
            WITH needs(kind, needed) AS (SELECT * FROM unnest($3::text[], $4::text[])),
            free(export_id, kind) AS MATERIALIZED (
              SELECT settled.id, waiting.kind
              FROM unnest($1::uuid[]) AS settled(id) CROSS JOIN (SELECT DISTINCT kind FROM needs) AS waiting
              WHERE EXISTS (
                SELECT FROM jobs WHERE export_id = settled.id AND kind = waiting.kind AND state = 'waiting')
              AND NOT EXISTS (
                SELECT FROM needs WHERE needs.kind = waiting.kind AND EXISTS (
                  SELECT FROM jobs WHERE export_id = settled.id AND kind = needs.needed AND state <> 'done')))
            UPDATE jobs SET state = 'ready', ready_at = $2 FROM free
            WHERE jobs.export_id = free.export_id AND jobs.kind = free.kind AND jobs.state = 'waiting'
            """, [ids, .timestamp(now), .textArray(needs.map(\.kind)), .textArray(needs.map(\.needed))])
        effects.hasNews = unlocked > 0
        let complete = try await query(
            """
            SELECT exports.id, source_places, artifacts.warnings FROM exports
            LEFT JOIN artifacts ON artifacts.tenant_id = exports.tenant_id AND artifacts.key = film_key
            WHERE exports.id = ANY($1::uuid[]) AND state = 'rendering'
              AND EXISTS (SELECT FROM jobs WHERE export_id = exports.id AND kind = 'stitch' AND jobs.state = 'done')
            """, [ids])
        for row in complete {
            let export = try row.exportID("id")
            if let found = try row.get("warnings", as: String?.self) {
                try await add(found, to: export, try row.get("source_places"))
            }
            effects.toCancel += try await end(export, as: .completed, failure: nil, "the film is there", at: now) ?? []
        }
        return effects
    }

    /// Adds what rendering the film concealed to what its author should know.
    /// - Parameters:
    ///   - warnings: the film's, as JSON.
    ///   - places: where the draft uses its sources, as JSON.
    private func add(_ warnings: String, to export: ExportID, _ places: String) async throws {
        let found = try PostgresFarmStore.fromJSON([SourceWarning].self, warnings)
        let places = try PostgresFarmStore.fromJSON(SourcePlaces.self, places)
        try await execute(
            "UPDATE exports SET warnings = warnings || $2 WHERE id = $1",
            [.uuid(export.text), try PostgresFarmStore.json(places.diagnostics(of: found))])
    }
}
