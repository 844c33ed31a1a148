import FarmAPI
import Postgres
import Scheduling
package import FoundationEssentials

extension PostgresFarmStore {
    package func nextJobsCandidates(_ filter: NextJobsFilter, at now: Date) async throws -> [NextJobsCandidate] {
        let columns = """
            \(PostgresFarmStore.readyColumns), jobs.state <> 'ready' AS taken, jobs.worker,
              coalesce(jobs.ready_at, jobs.created_at) AS since, exports.tenant_id, exports.pool, exports.number,
              exports.priority, exports.created_at, exports.label
            """
        let isDue = """
            jobs.export_id = exports.id AND jobs.state = 'ready' AND jobs.not_before <= $1 AND ($2::text IS NULL OR jobs.role = $2)
              AND NOT EXISTS (
                SELECT FROM jobs AS other WHERE other.tenant_id = jobs.tenant_id AND other.artifact_key = jobs.artifact_key
                  AND other.state IN ('dispatched', 'running'))
            """
        let isAsked = "($3::text IS NULL OR exports.pool = $3) AND ($4::bigint IS NULL OR exports.tenant_id = $4)"
        // The order of exports is that of `ExportOrder`, the order of jobs that of `JobEntry`.
        let results = try await translating {
            try await pool.pipeline([
                PostgresStatement(
                    """
                    SELECT \(columns) FROM jobs JOIN exports ON exports.id = jobs.export_id
                    WHERE jobs.state IN ('dispatched', 'running') AND ($1::text IS NULL OR exports.pool = $1)
                      AND ($2::bigint IS NULL OR exports.tenant_id = $2)
                    """,
                    [.optional(filter.pool) { .text($0) }, .optional(filter.tenant) { .int64($0) }]),
                PostgresStatement(
                    """
                    WITH open AS MATERIALIZED (
                      SELECT exports.id, row_number() OVER (
                        PARTITION BY exports.tenant_id, exports.pool
                        ORDER BY CASE WHEN exports.priority > priority_cap THEN -exports.priority::bigint ELSE 1000 END,
                          floor(extract(epoch FROM exports.created_at) / 60)::bigint - exports.priority, (
                            SELECT coalesce(sum(least(jobs.weight, 1000000)), 0) FROM jobs
                            WHERE jobs.export_id = exports.id AND jobs.state IN ('dispatched', 'running')),
                          exports.number) AS place
                      FROM exports JOIN tenants ON tenants.id = exports.tenant_id
                      WHERE exports.state IN ('probing', 'rendering') AND \(isAsked) AND EXISTS (SELECT FROM jobs WHERE \(isDue)))
                    SELECT jobs.* FROM open JOIN exports ON exports.id = open.id CROSS JOIN LATERAL (
                      SELECT \(columns) FROM jobs WHERE \(isDue)
                      ORDER BY CASE WHEN jobs.kind IN ('probe', 'allocation', 'stitch') THEN 0
                          WHEN jobs.kind IN ('audio', 'soundtrack') THEN 2 WHEN jobs.ordinal = 0 THEN 1 ELSE 3 END,
                        floor(log(2, jobs.ordinal + 1) + 0.000001), jobs.weight DESC, jobs.ordinal, jobs.id LIMIT $5) AS jobs
                    WHERE open.place <= $5
                    """,
                    [
                        .timestamp(now), .optional(filter.role) { .text($0.rawValue) }, .optional(filter.pool) { .text($0) },
                        .optional(filter.tenant) { .int64($0) }, .int64(Int64(filter.limit)),
                    ]),
            ])
        }
        return try results.flatMap(\.rows).map { row in
            let isInFlight = try row.get("taken", as: Bool.self)
            let job = try row.readyJob()
            let export = QueuedExport(
                id: job.export, tenant: try row.get("tenant_id"), pool: try row.get("pool"), number: try row.get("number"),
                priority: try row.get("priority"), since: try row.get("created_at"))
            return NextJobsCandidate(
                ActiveJob(job, isInFlight: isInFlight, worker: isInFlight ? try row.get("worker") : nil), of: export,
                label: try row.get("label"), readySince: try row.get("since"))
        }
    }
}
