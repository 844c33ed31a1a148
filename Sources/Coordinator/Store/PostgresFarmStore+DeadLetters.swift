import ExportPlan
package import FarmAPI
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func deadLetters(tenant: Int64?, after job: Int64?, limit: Int) async throws -> [DeadLetter] {
        try await query(
            """
            SELECT job_id, export_id, tenant_id, kind, ordinal, attempts, array_to_json(workers)::text AS workers, failure, died_at
            FROM dead_letters WHERE ($1::bigint IS NULL OR tenant_id = $1) AND job_id > $2 ORDER BY job_id LIMIT $3
            """, [.optional(tenant) { .int64($0) }, .int64(job ?? 0), .int64(Int64(limit))]
        ).map { row in
            DeadLetter(
                job: try row.get("job_id"), export: try row.exportID("export_id"), tenant: try row.get("tenant_id"),
                kind: try row.named("kind", JobKind.self), ordinal: try row.get("ordinal"), attempts: try row.get("attempts"),
                workers: try PostgresFarmStore.fromJSON([String].self, try row.get("workers")),
                failure: try PostgresFarmStore.fromJSON(JobFailure.self, try row.get("failure")),
                diedAt: try row.get("died_at"))
        }
    }

    package func discardDeadLetter(_ job: Int64, tenant: Int64?) async throws {
        let removed = try await transaction { transaction in
            try await transaction.execute(
                "DELETE FROM dead_letters WHERE job_id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)",
                [.int64(job), .optional(tenant) { .int64($0) }])
        }
        guard removed > 0 else { throw FarmError(.notFound, "job \(job) is no dead letter") }
    }
}

extension PostgresTransaction {
    /// Notes a job whose export fails because of it, if it crashed.
    func noteDeadLetter(_ job: LockedJob, _ failure: JobFailure, at now: Date) async throws {
        guard failure.failureClass == .crash else { return }
        try await execute(
            """
            INSERT INTO dead_letters (job_id, export_id, tenant_id, kind, ordinal, attempts, workers, failure, died_at)
            SELECT id, export_id, tenant_id, kind, ordinal, attempt,
              ARRAY(SELECT DISTINCT worker FROM attempts WHERE job_id = jobs.id AND worker IS NOT NULL ORDER BY worker), $2, $3
            FROM jobs WHERE id = $1
            ON CONFLICT (job_id) DO UPDATE SET attempts = excluded.attempts, workers = excluded.workers,
              failure = excluded.failure, died_at = excluded.died_at
            """, [.int64(job.id), try PostgresFarmStore.json(failure), .timestamp(now)])
    }

    func forgetDeadLetters(of export: ExportID) async throws {
        try await execute("DELETE FROM dead_letters WHERE export_id = $1", [.uuid(export.text)])
    }
}
