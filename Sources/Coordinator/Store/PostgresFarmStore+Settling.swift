import FarmAPI
import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

/// What a finished job means for others: jobs that wait for the same artifact are done, jobs that needed it may become
/// ready, and an export whose film is stitched is complete.
extension PostgresTransaction {
    /// Records a finished job's artifact, or a probe's facts, and ends every open job of the tenant for the same
    /// artifact. A job that is dispatched or running goes on and will find the artifact.
    func share(_ done: LockedJob, _ result: JobResult, at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        if done.lifecycle.kind != .probe {
            try await execute(
                """
                INSERT INTO artifacts (tenant_id, key, kind, warnings) VALUES ($1, $2, $3, $4)
                ON CONFLICT (tenant_id, key) DO UPDATE SET warnings = excluded.warnings
                  WHERE artifacts.warnings IS DISTINCT FROM excluded.warnings
                """,
                [
                    .int64(done.tenant), .text(done.key.text), .text(done.lifecycle.kind.rawValue),
                    try result.warnings.map(PostgresFarmStore.json) ?? .null,
                ])
        }
        let sharers = try await query(
            """
            UPDATE jobs SET state = 'done', reused = true, finished_at = $3
            WHERE tenant_id = $1 AND artifact_key = $2
              AND state IN (\(JobLifecycle.states(changedBy: .artifactMade).sqlList)) RETURNING export_id
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

    /// Makes jobs ready that have all they need, and completes exports whose film exists.
    ///
    /// It looks at kinds of jobs and not at each job: one step in an index tells whether any job of a kind is
    /// unfinished. The cost of a report therefore does not depend on how many jobs its export has.
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
            WHERE jobs.export_id = free.export_id AND jobs.kind = free.kind
              AND jobs.state IN (\(JobLifecycle.states(changedBy: .needsMet).sqlList))
            """, [ids, .timestamp(now), .textArray(needs.map(\.kind)), .textArray(needs.map(\.needed))])
        effects.hasNews = unlocked > 0
        let complete = try await query(
            """
            SELECT id FROM exports
            WHERE id = ANY($1::uuid[]) AND state IN (\(ExportLifecycle.states(changedBy: .filmMade).sqlList))
              AND EXISTS (SELECT FROM jobs WHERE export_id = exports.id AND kind = 'stitch' AND jobs.state = 'done')
            """, [ids])
        for row in complete {
            effects.toCancel += try await advance(try row.exportID("id"), .filmMade, at: now)?.toCancel ?? []
        }
        return effects
    }
}
