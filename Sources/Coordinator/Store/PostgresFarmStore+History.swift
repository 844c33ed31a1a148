import FarmAPI
import Postgres
package import FoundationEssentials

/// The move of finished exports' rows out of the tables that the leader works on, and their removal.
extension PostgresFarmStore {
    /// The time by the database's clock.
    package func databaseTime() async throws -> Date {
        try await query("SELECT now() AS at").first?.get("at") ?? now()
    }

    package func cutoff(beyondNewest count: Int) async throws -> Date? {
        // Exports that ended at the same time as the last of the newest stay with it.
        guard count > 0 else {
            return try await query("SELECT max(finished_at) + interval '1 microsecond' AS at FROM exports").first?.get("at")
        }
        return try await query(
            """
            SELECT finished_at AS at FROM exports WHERE finished_at IS NOT NULL
            ORDER BY finished_at DESC OFFSET $1 LIMIT 1
            """, [.int64(Int64(count) - 1)]
        ).first?.get("at")
    }

    package func moveToHistory(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        let now = self.now()
        return try await transaction { transaction in
            var counts = RowCounts()
            // The locks make an operator's retry of these exports wait. It then finds their progress and is refused.
            let exports = try await transaction.query(
                """
                SELECT id::text AS id FROM exports WHERE finished_at IS NOT NULL AND moved_at IS NULL AND finished_at < $1
                ORDER BY finished_at, number LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
                """, [.timestamp(cutoff), .int64(Int64(max(1, limit / 10)))]
            ).map { try $0.get("id", as: String.self) }
            guard !exports.isEmpty else { return counts }
            try await transaction.execute(
                """
                UPDATE exports SET progress = (
                  SELECT jsonb_build_object('jobs', count(*), 'done', count(*) FILTER (WHERE jobs.state = 'done'),
                    'reused', count(*) FILTER (WHERE reused),
                    'frames', coalesce(sum(jobs.frame_count) FILTER (WHERE jobs.state = 'done' AND kind = 'video'), 0))
                  FROM jobs WHERE export_id = exports.id AND kind <> 'probe')
                WHERE id = ANY($1::uuid[]) AND progress IS NULL
                """, [.textArray(exports)])
            let jobs = try await transaction.query(
                "SELECT id FROM jobs WHERE export_id = ANY($1::uuid[]) ORDER BY id LIMIT $2",
                [.textArray(exports), .int64(Int64(limit))]
            ).map { try $0.get("id", as: Int64.self) }
            try await transaction.move(jobs: jobs, &counts)
            let done = try await transaction.query(
                """
                SELECT id::text AS id FROM unnest($1::uuid[]) AS moving(id)
                WHERE NOT EXISTS (SELECT FROM jobs WHERE export_id = moving.id)
                """, [.textArray(exports)]
            ).map { try $0.get("id", as: String.self) }
            try await transaction.endMove(of: done, at: now, &counts)
            return counts
        }
    }

    package func addUpQueueCounts() async throws {
        // A connection that is counting now keeps its rows until the next time.
        try await execute(
            """
            WITH others AS (
              DELETE FROM queue_counts WHERE (backend, role, pool, state) IN (
                SELECT backend, role, pool, state FROM queue_counts WHERE backend <> 0 FOR UPDATE SKIP LOCKED)
              RETURNING role, pool, state, jobs, seconds)
            INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
            SELECT role, pool, state, 0, sum(jobs), sum(seconds) FROM others GROUP BY role, pool, state ORDER BY role, pool, state
            ON CONFLICT (backend, role, pool, state)
              DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds
            """)
    }

    package func clearLogs(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        var counts = RowCounts()
        counts.clearedLogs = try await execute(
            """
            UPDATE attempts_history SET log = '' WHERE (job_id, number) IN (
              SELECT job_id, number FROM attempts_history WHERE log <> '' AND finished_at < $1
              ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED)
            """, [.timestamp(cutoff), .int64(Int64(limit))])
        return counts
    }

    package func dropEvents(before cutoff: Date, limit: Int) async throws -> RowCounts {
        var counts = RowCounts()
        counts.droppedEvents = try await execute(
            """
            DELETE FROM events_history WHERE (export_id, id) IN (
              SELECT export_id, id FROM events_history WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
            """, [.timestamp(cutoff), .int64(Int64(limit))])
        return counts
    }

    package func dropHistory(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await transaction { transaction in
            var counts = RowCounts()
            let jobs = PostgresValue.int64Array(
                try await transaction.query(
                    """
                    SELECT id FROM jobs_history WHERE ended_at < $1 ORDER BY ended_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
                    """, [.timestamp(cutoff), .int64(Int64(limit))]
                ).map { try $0.get("id", as: Int64.self) })
            counts.droppedAttempts = try await transaction.execute(
                "DELETE FROM attempts_history WHERE job_id = ANY($1)", [jobs])
            counts.droppedJobs = try await transaction.execute("DELETE FROM jobs_history WHERE id = ANY($1)", [jobs])
            return counts
        }
    }

    package func dropRevisions(before cutoff: Date, keeping newest: Int, limit: Int) async throws -> RowCounts {
        var counts = RowCounts()
        counts.droppedRevisions = try await execute(
            """
            DELETE FROM draft_revisions WHERE (draft_id, revision) IN (
              SELECT draft_id, revision \(PostgresFarmStore.expiredRevisions) ORDER BY draft_id, revision LIMIT $3)
            """, [.timestamp(cutoff), .int64(Int64(max(1, newest))), .int64(Int64(limit))])
        return counts
    }

    /// The revisions before the time $1 that are not among the newest $2 of their draft.
    private static let expiredRevisions = """
        FROM draft_revisions AS old JOIN drafts ON drafts.id = draft_id
        WHERE name IS NOT NULL AND old.created_at < $1
          AND revision <= (SELECT max(revision) FROM draft_revisions AS other WHERE other.draft_id = old.draft_id) - $2
          AND NOT EXISTS (
            SELECT FROM exports WHERE exports.draft_id = old.draft_id AND exports.draft_revision = old.revision)
          AND NOT EXISTS (
            SELECT FROM batches WHERE batches.draft_id = old.draft_id AND batches.draft_revision = old.revision)
        """

    package func dropExports(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        try await transaction { transaction in
            var counts = RowCounts()
            let rows = try await transaction.query(
                """
                SELECT id::text AS id, draft_id FROM exports WHERE finished_at < $1 AND moved_at IS NOT NULL
                ORDER BY finished_at, number LIMIT $2 FOR UPDATE SKIP LOCKED
                """, [.timestamp(cutoff), .int64(Int64(limit))])
            let batches = try await transaction.dropBatches(endedBefore: cutoff, limit: limit)
            guard !rows.isEmpty || !batches.isEmpty else { return counts }
            counts.droppedExports = try await transaction.drop(
                exports: try rows.map { try $0.get("id") },
                drafts: Set(try rows.map { try $0.get("draft_id") }).union(batches))
            return counts
        }
    }

    package func expired(_ cutoffs: RetentionCutoffs) async throws -> RowCounts {
        // A comparison with NULL is not true, so that nothing expires where there is no cutoff.
        let row = try await query(
            """
            WITH cut AS (SELECT $1::timestamptz AS jobs, $2::timestamptz AS logs, $3::timestamptz AS events,
              $4::timestamptz AS history, $5::timestamptz AS exports),
            moving AS MATERIALIZED (
              SELECT id, finished_at FROM exports
              WHERE finished_at IS NOT NULL AND moved_at IS NULL AND finished_at < (SELECT jobs FROM cut)),
            moving_jobs AS MATERIALIZED (
              SELECT jobs.id, moving.finished_at FROM moving JOIN jobs ON export_id = moving.id),
            moving_attempts AS MATERIALIZED (
              SELECT attempts.finished_at, log <> '' AS logged, moving_jobs.finished_at AS ended
              FROM moving_jobs JOIN attempts ON job_id = moving_jobs.id),
            moving_events AS MATERIALIZED (SELECT at FROM moving JOIN events ON export_id = moving.id),
            old_jobs AS MATERIALIZED (SELECT id FROM jobs_history WHERE ended_at < (SELECT history FROM cut))
            SELECT (SELECT count(*) FROM moving) AS moved_exports, (SELECT count(*) FROM moving_jobs) AS moved_jobs,
              (SELECT count(*) FROM moving_attempts) AS moved_attempts, (SELECT count(*) FROM moving_events) AS moved_events,
              (SELECT count(*) FROM attempts_history WHERE log <> '' AND finished_at < (SELECT logs FROM cut))
                + (SELECT count(*) FROM moving_attempts, cut WHERE logged AND finished_at < logs) AS cleared_logs,
              (SELECT count(*) FROM events_history WHERE at < (SELECT events FROM cut))
                + (SELECT count(*) FROM moving_events, cut WHERE at < events) AS dropped_events,
              (SELECT count(*) FROM old_jobs)
                + (SELECT count(*) FROM moving_jobs, cut WHERE finished_at < history) AS dropped_jobs,
              (SELECT count(*) FROM old_jobs JOIN attempts_history ON job_id = id)
                + (SELECT count(*) FROM moving_attempts, cut WHERE ended < history) AS dropped_attempts,
              (SELECT count(*) FROM exports WHERE finished_at < (SELECT exports FROM cut)
                AND (moved_at IS NOT NULL OR finished_at < (SELECT jobs FROM cut))) AS dropped_exports
            """,
            [cutoffs.jobs, cutoffs.logs, cutoffs.events, cutoffs.history, cutoffs.exports].map {
                .optional($0) { .timestamp($0) }
            }
        ).first
        var counts = RowCounts()
        guard let row else { return counts }
        counts.movedExports = try row.get("moved_exports")
        counts.movedJobs = try row.get("moved_jobs")
        counts.movedAttempts = try row.get("moved_attempts")
        counts.movedEvents = try row.get("moved_events")
        counts.clearedLogs = try row.get("cleared_logs")
        counts.droppedEvents = try row.get("dropped_events")
        counts.droppedJobs = try row.get("dropped_jobs")
        counts.droppedAttempts = try row.get("dropped_attempts")
        counts.droppedExports = try row.get("dropped_exports")
        counts.droppedDeliveries = try await expiredDeliveries(cutoffs.deliveries)
        (counts.droppedAdminActions, counts.droppedWorkers) = try await expiredTraces(cutoffs)
        guard let revisions = cutoffs.revisions else { return counts }
        counts.droppedRevisions =
            try await query(
                "SELECT count(*) AS revisions \(PostgresFarmStore.expiredRevisions)",
                [.timestamp(revisions), .int64(Int64(max(1, cutoffs.keptRevisions)))]
            ).first?.get("revisions") ?? 0
        return counts
    }
}

extension PostgresTransaction {
    /// Removes batches that ended before a time and have no exports any more.
    /// - Returns: the drafts that they were made from.
    fileprivate func dropBatches(endedBefore cutoff: Date, limit: Int) async throws -> Set<Int64> {
        let rows = try await query(
            """
            DELETE FROM batches WHERE id IN (
              SELECT id FROM batches WHERE ended_at < $1 AND NOT EXISTS (SELECT FROM exports WHERE batch_id = batches.id)
              ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
            RETURNING draft_id
            """, [.timestamp(cutoff), .int64(Int64(limit))])
        return Set(try rows.map { try $0.get("draft_id", as: Int64.self) })
    }

    /// Moves jobs of exports that are over, with their attempts and events.
    fileprivate func move(jobs: [Int64], _ counts: inout RowCounts) async throws {
        guard !jobs.isEmpty else { return }
        let ids = PostgresValue.int64Array(jobs)
        counts.movedAttempts += try await execute(
            """
            WITH moved AS (DELETE FROM attempts WHERE job_id = ANY($1) RETURNING *)
            INSERT INTO attempts_history (job_id, number, state, worker, failure, cost, dispatched_at, started_at, finished_at, log)
            SELECT job_id, number, state, worker, failure, cost, dispatched_at, started_at,
              coalesce(finished_at, dispatched_at), log FROM moved
            """, [ids])
        counts.movedEvents += try await execute(
            """
            WITH moved AS (DELETE FROM events WHERE job_id = ANY($1) RETURNING *)
            INSERT INTO events_history (id, export_id, job_id, kind, message, at)
            SELECT id, export_id, job_id, kind, message, at FROM moved
            """, [ids])
        counts.movedJobs += try await execute(
            """
            WITH moved AS (DELETE FROM jobs WHERE id = ANY($1) RETURNING *)
            INSERT INTO jobs_history (id, export_id, tenant_id, kind, role, ordinal, artifact_key, pool, priority, frame_count,
              state, attempt, worker, reused, created_at, dispatched_at, started_at, finished_at, ended_at, weight, memory,
              processors)
            SELECT moved.id, export_id, moved.tenant_id, kind, role, ordinal, artifact_key, moved.pool, moved.priority,
              moved.frame_count, moved.state, attempt, worker, reused, moved.created_at, dispatched_at, started_at,
              coalesce(moved.finished_at, exports.finished_at), exports.finished_at, moved.weight, memory, processors
            FROM moved JOIN exports ON exports.id = export_id
            """, [ids])
    }

    /// Moves what is left of exports whose jobs have moved. The facts of their sources are needed for jobs only.
    fileprivate func endMove(of exports: [String], at now: Date, _ counts: inout RowCounts) async throws {
        guard !exports.isEmpty else { return }
        let ids = PostgresValue.textArray(exports)
        counts.movedEvents += try await execute(
            """
            WITH moved AS (DELETE FROM events WHERE export_id = ANY($1::uuid[]) RETURNING *)
            INSERT INTO events_history (id, export_id, job_id, kind, message, at)
            SELECT id, export_id, job_id, kind, message, at FROM moved
            """, [ids])
        try await execute("DELETE FROM export_sources WHERE export_id = ANY($1::uuid[])", [ids])
        counts.movedExports += try await execute(
            "UPDATE exports SET moved_at = $2 WHERE id = ANY($1::uuid[])", [ids, .timestamp(now)])
    }
}
