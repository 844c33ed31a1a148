package import FarmAPI
import ExportPlan
import Postgres
import Scheduling
import FoundationEssentials

extension PostgresFarmStore {
    /// Whether an export has jobs of a role (`$1`) that are ready.
    private static let hasReadyJobs =
        "EXISTS (SELECT FROM jobs WHERE jobs.export_id = exports.id AND jobs.role = $1 AND jobs.state = 'ready')"
    private static let isOpen = "exports.state IN ('probing', 'rendering')"

    package func rivals(of job: Job) async throws -> JobRivals {
        guard let export = try await export(job.export, tenant: nil) else { return JobRivals() }
        let role = PostgresValue.text(job.kind.role.rawValue)
        let jobPool = PostgresValue.text(job.pool)
        let rank = Int64(Scheduler.minute(export.createdAt) - export.priority)
        let order = "floor(extract(epoch FROM exports.created_at) / 60)::bigint - exports.priority"
        let results = try await translating {
            try await pool.pipeline(
                [
                    PostgresStatement(
                        """
                        SELECT id FROM exports WHERE tenant_id = $2 AND pool = $3 AND id <> $4 AND \(PostgresFarmStore.isOpen)
                          AND (\(order), number) < ($5, $6) AND \(PostgresFarmStore.hasReadyJobs)
                        ORDER BY \(order), number LIMIT $7
                        """,
                        [
                            role, .int64(job.tenant), jobPool, .uuid(export.id.text), .int64(rank), .int64(export.number),
                            .int64(Int64(JobRivals.limit)),
                        ]),
                    PostgresStatement(
                        """
                        SELECT count(*) AS tenants FROM tenants WHERE id <> $2 AND EXISTS (
                          SELECT FROM exports WHERE tenant_id = tenants.id AND pool = $3 AND \(PostgresFarmStore.isOpen)
                            AND \(PostgresFarmStore.hasReadyJobs))
                        """, [role, .int64(job.tenant), jobPool]),
                    PostgresStatement(
                        """
                        SELECT count(*) AS urgent FROM tenants JOIN exports ON tenant_id = tenants.id
                          AND exports.priority > tenants.priority_cap
                        WHERE pool = $2 AND exports.id <> $3 AND \(PostgresFarmStore.isOpen) AND \(PostgresFarmStore.hasReadyJobs)
                        """, [role, jobPool, .uuid(export.id.text)]),
                    PostgresStatement(
                        """
                        SELECT id, worker FROM jobs WHERE tenant_id = $1 AND artifact_key = $2 AND id <> $3
                          AND state IN ('dispatched', 'running')
                        """, [.int64(job.tenant), .text(job.key.text), .int64(job.id)]),
                    PostgresStatement(
                        """
                        SELECT DISTINCT ON (attempts.worker) attempts.worker, attempts.failure
                        FROM jobs JOIN attempts ON attempts.job_id = jobs.id
                        WHERE jobs.export_id = $1 AND jobs.kind = $2 AND attempts.state = 'failed' AND attempts.worker IS NOT NULL
                          AND attempts.failure ->> 'failureClass' = 'environment'
                        ORDER BY attempts.worker, attempts.finished_at DESC
                        """, [.uuid(export.id.text), .text(job.kind.rawValue)]),
                ])
        }
        var rivals = JobRivals()
        rivals.earlier = try results[0].rows.map { try $0.exportID("id") }
        rivals.otherTenants = try results[1].rows.first?.get("tenants") ?? 0
        rivals.urgentExports = try results[2].rows.first?.get("urgent") ?? 0
        rivals.maker = try results[3].rows.first?.get("id")
        rivals.makerWorker = try results[3].rows.first?.get("worker") ?? nil
        for row in results[4].rows {
            rivals.lacking[try row.get("worker")] = try PostgresFarmStore.fromJSON(JobFailure.self, try row.get("failure"))
        }
        return rivals
    }

    package func compileRivals(of export: Export) async throws -> CompileRivals {
        let row = try await query(
            """
            SELECT max_open_jobs,
              (SELECT count(*) FROM exports WHERE tenant_id = $1 AND state = 'submitted'
                AND (priority > $2 OR priority = $2 AND number < $3)) AS earlier,
              CASE WHEN max_open_jobs IS NOT NULL THEN (SELECT count(*) FROM (
                SELECT FROM exports JOIN jobs ON jobs.export_id = exports.id
                WHERE exports.tenant_id = $1 AND \(PostgresFarmStore.isOpen)
                  AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running') LIMIT max_open_jobs) AS open) END AS open_jobs
            FROM tenants WHERE id = $1
            """, [.int64(export.tenant), .int64(Int64(export.priority)), .int64(export.number)]
        ).first
        var rivals = CompileRivals()
        rivals.earlier = try row?.get("earlier") ?? 0
        rivals.openJobs = try row?.get("open_jobs") ?? nil
        rivals.maxOpenJobs = try row?.get("max_open_jobs") ?? nil
        return rivals
    }
}
