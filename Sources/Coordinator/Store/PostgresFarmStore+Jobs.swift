package import FarmAPI
import JobQueue
import ExportPlan
import Postgres
package import FoundationEssentials

/// Jobs and queues as operators see and change them.
extension PostgresFarmStore {
    package func job(_ id: Int64, tenant: Int64?) async throws -> (job: Job, attempts: [JobAttempt])? {
        let row = try await query(
            PostgresFarmStore.jobColumns(where: "id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)", limit: nil),
            [.int64(id), .optional(tenant) { .int64($0) }]
        ).first
        guard let row else { return nil }
        let attempts = try await query(
            """
            SELECT number, state, worker, failure, cost, log, dispatched_at, started_at, finished_at FROM attempts
            WHERE job_id = $1
            UNION ALL
            SELECT number, state, worker, failure, cost, log, dispatched_at, started_at, finished_at FROM attempts_history
            WHERE job_id = $1 ORDER BY number
            """, [.int64(id)])
        return (try row.job(), try attempts.map { try $0.attempt() })
    }

    /// Jobs of exports that ended long ago are in the history, which is read only for one export.
    package func jobs(_ filter: JobFilter) async throws -> [Job] {
        let condition = """
            ($1::bigint IS NULL OR tenant_id = $1) AND ($2::uuid IS NULL OR export_id = $2)
              AND ($3::text IS NULL OR state = $3) AND ($4::text IS NULL OR role = $4) AND ($6::bigint IS NULL OR id > $6)
            """
        return try await query(
            filter.export == nil
                ? "\(PostgresFarmStore.jobColumns(from: "jobs")) WHERE \(condition) ORDER BY id LIMIT $5"
                : PostgresFarmStore.jobColumns(where: condition, limit: "$5"),
            [
                .optional(filter.tenant) { .int64($0) }, .optional(filter.export) { .uuid($0.text) },
                .optional(filter.state) { .text($0.rawValue) }, .optional(filter.role) { .text($0.rawValue) },
                .int64(Int64(filter.limit)), .optional(filter.after) { .int64($0) },
            ]
        ).map { try $0.job() }
    }

    package func filmParts(of export: ExportID) async throws -> FilmParts? {
        let rows = try await query(
            """
            SELECT artifact_key, state = 'done' AS is_done, CASE kind WHEN 'stitch' THEN work END AS work FROM jobs
            WHERE export_id = $1 AND (state = 'done' OR kind = 'stitch')
            """, [.uuid(export.text)])
        guard let stored = try rows.lazy.compactMap({ try $0.get("work", as: String?.self) }).first else { return nil }
        let done = try rows.filter { try $0.get("is_done") }.map { ArtifactKey(try $0.get("artifact_key")) }
        return FilmParts(stitch: try PostgresFarmStore.fromJSON(RenderJob.self, stored), done: Set(done))
    }

    package func exports(ofJobs jobs: [Int64], tenant: Int64?) async throws -> [Int64: ExportID] {
        guard !jobs.isEmpty else { return [:] }
        let rows = try await query(
            """
            SELECT id, export_id FROM jobs WHERE id = ANY($1) AND ($2::bigint IS NULL OR tenant_id = $2)
            UNION
            SELECT id, export_id FROM jobs_history WHERE id = ANY($1) AND ($2::bigint IS NULL OR tenant_id = $2)
            """,
            [.int64Array(jobs), .optional(tenant) { .int64($0) }])
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("id", as: Int64.self), try $0.exportID("export_id")) })
    }

    /// Reads jobs that meet a condition, wherever they are.
    /// - Parameter limit: the parameter with the greatest number of jobs.
    private static func jobColumns(where condition: String, limit: String?) -> String {
        let end = limit.map { " ORDER BY id LIMIT \($0)" } ?? ""
        return ["jobs", "jobs_history"].map { "(\(jobColumns(from: $0)) WHERE \(condition)\(end))" }
            .joined(separator: " UNION ALL ") + end
    }

    private static func jobColumns(from table: String) -> String {
        """
        SELECT id, export_id, tenant_id, kind, ordinal, artifact_key, pool, priority, frame_count, state, attempt, worker, reused,
          created_at, dispatched_at, started_at, finished_at, weight, memory, processors
        FROM \(table)
        """
    }

    package func retry(_ job: Int64) async throws {
        let now = self.now()
        try await transaction { transaction in
            // The export is locked before its job, as by everybody, and so that its jobs do not move meanwhile.
            let hasMoved = try await transaction.query(
                """
                SELECT progress IS NOT NULL AS moved FROM exports
                WHERE id IN (SELECT export_id FROM jobs WHERE id = $1 UNION SELECT export_id FROM jobs_history WHERE id = $1)
                FOR NO KEY UPDATE
                """, [.int64(job)]
            ).first?.get("moved", as: Bool.self)
            guard hasMoved != true else {
                throw FarmError(
                    .conflict,
                    "the export of job \(job) ended long ago and is history, so it cannot go on; submit its draft again")
            }
            guard let failed = try await transaction.lock(job), failed.lifecycle.state == .failed else {
                throw FarmError(.conflict, "job \(job) has not failed, so there is nothing to retry")
            }
            guard try await transaction.advance(failed.export, .jobRetried(job, failed.lifecycle.kind), at: now) != nil else {
                throw FarmError(.conflict, "the export of job \(job) has not failed; only jobs of a failed export are retried")
            }
            try await transaction.forgetDeadLetters(of: failed.export)
            try await transaction.announce(.export(failed.export))
        }
    }

    /// The last minute's jobs are read once, and not once for each role. The state is no condition of the search, or
    /// PostgreSQL would also look up all jobs that were ever done. The job of an attempt is looked up and not joined,
    /// because a join may read all jobs.
    package func queues(at now: Date) async throws -> [QueueStatus] {
        let counts = try await query(
            """
            SELECT role, state, pool, sum(jobs)::bigint AS jobs, greatest(sum(seconds), 0) AS seconds FROM queue_counts
            GROUP BY role, state, pool HAVING sum(jobs) > 0 ORDER BY pool
            """)
        let recent = try await query(
            """
            WITH
              started AS MATERIALIZED (
                SELECT role, avg(extract(epoch FROM started_at - ready_at))::float8 AS waiting_time FROM jobs
                WHERE started_at > $1 GROUP BY role),
              done AS MATERIALIZED (
                SELECT role, count(*) FILTER (WHERE state = 'done') AS jobs FROM jobs WHERE finished_at > $1 GROUP BY role),
              wrong AS MATERIALIZED (
                SELECT (SELECT role FROM jobs WHERE id = job_id) AS role FROM attempts
                WHERE state IN ('failed', 'lost') AND finished_at > $2)
            SELECT roles.role,
              (SELECT min(ready_at) FROM jobs WHERE jobs.role = roles.role AND state = 'ready') AS oldest,
              (SELECT waiting_time FROM started WHERE started.role = roles.role) AS waiting_time,
              coalesce((SELECT jobs FROM done WHERE done.role = roles.role), 0) AS finished,
              (SELECT count(*) FROM wrong WHERE wrong.role = roles.role) AS errors,
              EXISTS (SELECT FROM pauses WHERE pauses.role = roles.role) AS paused
            FROM unnest($3::text[]) AS roles(role)
            """,
            [
                .timestamp(now.addingTimeInterval(-60)), .timestamp(now.addingTimeInterval(-3600)),
                .textArray(WorkerRole.allCases.map(\.rawValue)),
            ])
        var statuses = Dictionary(uniqueKeysWithValues: WorkerRole.allCases.map { ($0, QueueStatus(role: $0, backlog: 0)) })
        for row in counts {
            let role = try row.named("role", WorkerRole.self)
            let count = try row.get("jobs", as: Int.self)
            let state = try row.named("state", JobState.self)
            switch state {
            case .waiting: statuses[role]?.waiting += count
            case .ready: statuses[role]?.ready += count
            case .dispatched: statuses[role]?.dispatched += count
            case .running: statuses[role]?.running += count
            case .done, .failed, .cancelled: break
            }
            if state == .waiting || state == .ready {
                let seconds = try row.get("seconds", as: Double.self)
                statuses[role]?.backlog? += seconds
            }
            let pool = try row.get("pool", as: String.self)
            if state == .ready || state == .dispatched, statuses[role]?.pools.last != pool { statuses[role]?.pools.append(pool) }
        }
        for row in recent {
            let role = try row.named("role", WorkerRole.self)
            statuses[role]?.oldestReadySince = try row.get("oldest")
            statuses[role]?.waitingTime = try row.get("waiting_time")
            statuses[role]?.finishedLastMinute = try row.get("finished")
            statuses[role]?.errorsLastHour = try row.get("errors")
            statuses[role]?.isPaused = try row.get("paused")
        }
        return WorkerRole.allCases.compactMap { statuses[$0] }
    }

    /// Jobs of the last two hours are never in the history (`RetentionPolicy.shortest`). Both parts read only the last hour of
    /// an index; as for `queues`, an attempt's job is looked up and not joined.
    package func queueHistory(at now: Date) async throws -> [QueueHistory] {
        let rows = try await query(
            """
            SELECT role, floor(extract(epoch FROM $1 - finished_at) / 60)::bigint AS age,
              count(*) FILTER (WHERE state = 'done') AS finished, 0::bigint AS errors
            FROM jobs WHERE finished_at > $2 AND finished_at <= $1 GROUP BY 1, 2
            UNION ALL
            SELECT (SELECT role FROM jobs WHERE id = job_id), floor(extract(epoch FROM $1 - finished_at) / 60)::bigint, 0, count(*)
            FROM attempts WHERE state IN ('failed', 'lost') AND finished_at > $2 AND finished_at <= $1 GROUP BY 1, 2
            """, [.timestamp(now), .timestamp(now.addingTimeInterval(-60 * Double(QueueHistory.minutes)))])
        var histories = Dictionary(uniqueKeysWithValues: WorkerRole.allCases.map { ($0, QueueHistory(role: $0)) })
        for row in rows {
            // An attempt whose job moves to the history at this moment has no role.
            guard let name = try row.get("role", as: String?.self), let role = WorkerRole(rawValue: name) else { continue }
            let minute = QueueHistory.minutes - 1 - (try row.get("age", as: Int.self))
            guard (0..<QueueHistory.minutes).contains(minute) else { continue }
            histories[role]?.finished[minute] += try row.get("finished")
            histories[role]?.errors[minute] += try row.get("errors")
        }
        return WorkerRole.allCases.compactMap { histories[$0] }
    }

    package func setPaused(_ role: WorkerRole, _ paused: Bool) async throws {
        try await transaction { transaction in
            try await transaction.execute(
                paused
                    ? "INSERT INTO pauses (role) VALUES ($1) ON CONFLICT DO NOTHING" : "DELETE FROM pauses WHERE role = $1",
                [.text(role.rawValue)])
            try await transaction.announce(.settings)
        }
    }

    package func pausedRoles() async throws -> Set<WorkerRole> {
        Set(try await query("SELECT role FROM pauses").map { try $0.named("role", WorkerRole.self) })
    }

    package func noteWaits(_ waits: [JobWait]) async throws {
        guard !waits.isEmpty else { return }
        try await transaction { transaction in
            for wait in waits {
                try await transaction.log(.jobRetried, wait.export, job: wait.job, wait.message, at: wait.since)
            }
        }
    }

    package func note(_ workers: [WorkerStatus]) async throws {
        guard !workers.isEmpty else { return }
        try await transaction { transaction in
            for worker in workers {
                try await transaction.execute(
                    """
                    INSERT INTO workers (id, host, roles, pools, slots, version, started_at, last_seen_at)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                    ON CONFLICT (id) DO UPDATE SET host = excluded.host, roles = excluded.roles, pools = excluded.pools,
                      slots = excluded.slots, version = excluded.version, last_seen_at = excluded.last_seen_at
                    """,
                    [
                        .text(worker.id), .text(worker.host), .textArray(worker.roles.map(\.rawValue)), .textArray(worker.pools),
                        .int64(Int64(worker.slots)), .text(worker.version), .timestamp(worker.startedAt),
                        .timestamp(worker.seenAt),
                    ])
            }
        }
    }

    package func dropWorkers(unseenSince cutoff: Date, limit: Int) async throws -> RowCounts {
        var counts = RowCounts()
        counts.droppedWorkers = try await execute(
            """
            DELETE FROM workers WHERE id IN (
              SELECT id FROM workers WHERE last_seen_at < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
            """, [.timestamp(cutoff), .int64(Int64(limit))])
        return counts
    }
}

extension PostgresRow {
    fileprivate func job() throws -> Job {
        Job(
            id: try get("id"), export: try exportID("export_id"), tenant: try get("tenant_id"),
            kind: try named("kind", JobKind.self), ordinal: try get("ordinal"), key: ArtifactKey(try get("artifact_key")),
            pool: try get("pool"), priority: try get("priority"), frameCount: try get("frame_count"),
            state: try named("state", JobState.self), attempt: try get("attempt"), worker: try get("worker"),
            reused: try get("reused"), createdAt: try get("created_at"), dispatchedAt: try get("dispatched_at"),
            startedAt: try get("started_at"), finishedAt: try get("finished_at"), predicted: try get("weight"),
            demand: JobDemand(memory: try get("memory"), processors: try get("processors")))
    }

    fileprivate func attempt() throws -> JobAttempt {
        JobAttempt(
            number: try get("number"), state: try named("state", AttemptState.self), worker: try get("worker"),
            failure: try get("failure", as: String?.self).map { try PostgresFarmStore.fromJSON(JobFailure.self, $0) },
            cost: try get("cost", as: String?.self).map { try PostgresFarmStore.fromJSON(JobCost.self, $0) },
            log: try get("log"), dispatchedAt: try get("dispatched_at"), startedAt: try get("started_at"),
            finishedAt: try get("finished_at"))
    }
}
