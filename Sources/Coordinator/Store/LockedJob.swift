import FarmAPI
import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

/// A job whose row is locked until the transaction ends.
struct LockedJob: Sendable {
    var id: Int64
    var export: ExportID
    var tenant: Int64
    var key: ArtifactKey
    /// The location that a probe looks at; nil for other kinds.
    var location: String?
    var lifecycle: JobLifecycle
}

extension PostgresTransaction {
    /// - Returns: nil when there is no such job.
    func lock(_ job: Int64) async throws -> LockedJob? {
        try await query(
            """
            SELECT id, export_id, tenant_id, kind, artifact_key, CASE WHEN kind = 'probe' THEN work END AS work,
              state, attempt, failures, excluded_workers, worker, not_before, missed_artifacts, reused
            FROM jobs WHERE id = $1 FOR UPDATE
            """, [.int64(job)]
        ).first.map { row in
            var location: String?
            if let work = try row.get("work", as: String?.self),
                case .probe(let path, _) = try PostgresFarmStore.fromJSON(RenderJob.self, work)
            {
                location = path
            }
            return LockedJob(
                id: try row.get("id"), export: try row.exportID("export_id"), tenant: try row.get("tenant_id"),
                key: ArtifactKey(try row.get("artifact_key")), location: location, lifecycle: try row.jobLifecycle())
        }
    }

    /// Stores the job's lifecycle, with the time at which its state began.
    func recordState(of job: LockedJob, at now: Date) async throws {
        let life = job.lifecycle
        let failures = Dictionary(uniqueKeysWithValues: life.failures.map { ($0.rawValue, $1) })
        try await execute(
            """
            UPDATE jobs SET state = $2, attempt = $3, failures = $4, excluded_workers = $5, worker = $6, not_before = $7,
              missed_artifacts = $8, reused = $9,
              ready_at = CASE WHEN $2 = 'waiting' THEN NULL WHEN $2 = 'ready' THEN $10::timestamptz ELSE ready_at END,
              dispatched_at = CASE WHEN $2 = 'dispatched' THEN $10::timestamptz ELSE dispatched_at END,
              started_at = CASE WHEN $2 IN ('waiting', 'ready', 'dispatched') THEN NULL
                WHEN $2 = 'running' THEN coalesce(started_at, $10::timestamptz) ELSE started_at END,
              finished_at = CASE WHEN $11::boolean THEN $10::timestamptz END
            WHERE id = $1
            """,
            [
                .int64(job.id), .text(life.state.rawValue), .int64(Int64(life.attempt)), try PostgresFarmStore.json(failures),
                .textArray(life.excludedWorkers), .optional(life.worker) { .text($0) },
                .timestamp(max(life.notBefore, Date(timeIntervalSince1970: 0))), .int64(Int64(life.missedArtifacts)),
                .bool(life.reused), .timestamp(now), .bool(life.state.isTerminal),
            ])
    }
}

extension PostgresRow {
    fileprivate func jobLifecycle() throws -> JobLifecycle {
        let failures = try PostgresFarmStore.fromJSON([String: Int].self, try get("failures"))
        return JobLifecycle(
            try named("kind", JobKind.self), state: try named("state", JobState.self), attempt: try get("attempt"),
            failures: Dictionary(
                uniqueKeysWithValues: failures.compactMap { name, count in
                    FailureClass(rawValue: name).map { ($0, count) }
                }),
            excludedWorkers: try get("excluded_workers", as: [String].self), worker: try get("worker"),
            notBefore: try get("not_before"), missedArtifacts: try get("missed_artifacts"), reused: try get("reused"))
    }
}
