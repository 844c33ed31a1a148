package import ExportPlan
package import FarmAPI
import Postgres
package import FoundationEssentials

extension PostgresFarmStore {
    package func noteFaults(_ faults: [AuditFault]) async throws {
        guard !faults.isEmpty else { return }
        try await transaction { transaction in
            try await transaction.execute(
                "DELETE FROM faults WHERE found_at < now() - $1 * interval '1 second'", [.double(AuditFault.lifetime)])
            try await transaction.execute(
                """
                INSERT INTO faults (rule, subject, detail, found_at)
                SELECT DISTINCT ON (rule, subject) * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
                  AS new(rule, subject, detail, found_at)
                ON CONFLICT (rule, subject) DO UPDATE SET detail = excluded.detail, found_at = excluded.found_at
                """,
                [
                    .textArray(faults.map(\.rule.rawValue)), .textArray(faults.map(\.subject)), .textArray(faults.map(\.detail)),
                    .textArray(faults.map { FarmJSON.text($0.foundAt) }),
                ])
        }
    }

    package func leadAge() async throws -> Double? {
        try await query(
            "SELECT extract(epoch FROM clock_timestamp() - renewed_at)::double precision AS age FROM lead WHERE holder IS NOT NULL"
        ).first.map { try $0.get("age") }
    }

    package func films(
        of tenant: Int64, _ cutoffs: FileCutoffs, after export: ExportID?, limit: Int
    ) async throws -> [(export: ExportID, keys: [ArtifactKey])] {
        try await query(
            """
            SELECT id, array_to_json(film_key || coalesce(picture_keys, '{}'))::text AS keys FROM exports
            WHERE tenant_id = $1 AND state = 'completed' AND film_removed_at IS NULL
              AND ($2::timestamptz IS NULL OR finished_at >= $2) AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4
            """,
            [
                .int64(tenant), .optional(cutoffs.films) { .timestamp($0) }, .optional(export) { .uuid($0.text) },
                .int64(Int64(limit)),
            ]
        ).map { row in
            let keys = try PostgresFarmStore.fromJSON([String].self, try row.get("keys"))
            return (try row.exportID("id"), keys.map { ArtifactKey($0) })
        }
    }

    /// The rules are checked in one snapshot, because a job may go on between two statements.
    package func audit(at now: Date) async throws -> [AuditFault] {
        try await transaction(isolation: .repeatableRead) { transaction in
            try await transaction.notedFaults(at: now) + transaction.openJobFaults(at: now)
                + transaction.attemptFaults(at: now) + transaction.jobCountFaults(at: now)
        }
    }
}

extension PostgresTransaction {
    fileprivate func notedFaults(at now: Date) async throws -> [AuditFault] {
        try await query(
            """
            SELECT rule, subject, detail, found_at FROM faults WHERE found_at > $1
            ORDER BY rule, subject COLLATE "C" LIMIT $2
            """, [.timestamp(now.addingTimeInterval(-AuditFault.lifetime)), .int64(Int64(AuditFault.limit))]
        ).compactMap { row in
            // A rule of another version of this program is not known here.
            guard let rule = AuditRule(rawValue: try row.get("rule")) else { return nil }
            return AuditFault(
                rule, subject: try row.get("subject"), detail: try row.get("detail"), foundAt: try row.get("found_at"))
        }
    }

    fileprivate func openJobFaults(at now: Date) async throws -> [AuditFault] {
        // An export that moved to the history has no jobs here.
        try await query(
            """
            SELECT * FROM (
              SELECT id::text AS id, state, EXISTS (
                SELECT FROM jobs WHERE export_id = exports.id AND state IN ('waiting', 'ready', 'dispatched', 'running')) AS open
              FROM exports WHERE moved_at IS NULL AND state NOT IN ('submitted', 'probing')) AS checked
            WHERE open = (state <> 'rendering') ORDER BY id LIMIT $1
            """, [.int64(Int64(AuditFault.limit))]
        ).map { row in
            let detail = AuditFault.openJobs(of: try row.named("state", ExportState.self), open: try row.get("open"))
            return AuditFault(.openJobs, subject: try row.get("id"), detail: detail, foundAt: now)
        }
    }

    fileprivate func attemptFaults(at now: Date) async throws -> [AuditFault] {
        try await query(
            """
            SELECT jobs.id, jobs.state, false AS open FROM jobs
            WHERE state IN ('dispatched', 'running') AND NOT EXISTS (
              SELECT FROM attempts WHERE job_id = jobs.id AND state IN ('dispatched', 'running'))
            UNION
            SELECT jobs.id, jobs.state, true FROM attempts JOIN jobs ON jobs.id = attempts.job_id
            WHERE attempts.state IN ('dispatched', 'running') AND jobs.state NOT IN ('dispatched', 'running')
            ORDER BY id LIMIT $1
            """, [.int64(Int64(AuditFault.limit))]
        ).map { row in
            let detail = AuditFault.attempts(of: try row.named("state", JobState.self), open: try row.get("open"))
            return AuditFault(.attempts, subject: "\(try row.get("id", as: Int64.self))", detail: detail, foundAt: now)
        }
    }

    fileprivate func jobCountFaults(at now: Date) async throws -> [AuditFault] {
        try await query(
            """
            WITH counted AS (SELECT role, pool, state, sum(jobs) AS jobs FROM queue_counts GROUP BY role, pool, state),
            present AS (
              SELECT role, pool, state, count(*) AS jobs FROM jobs
              WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state)
            SELECT role, pool, state, coalesce(counted.jobs, 0)::bigint AS counted, coalesce(present.jobs, 0)::bigint AS present
            FROM counted FULL JOIN present USING (role, pool, state)
            WHERE coalesce(counted.jobs, 0) <> coalesce(present.jobs, 0) ORDER BY role, pool, state LIMIT $1
            """, [.int64(Int64(AuditFault.limit))]
        ).map { row in
            let counted = try row.get("counted", as: Int64.self)
            let present = try row.get("present", as: Int64.self)
            let state = try row.get("state", as: String.self)
            return AuditFault(
                .jobCounts, subject: "\(try row.get("role", as: String.self)):\(try row.get("pool", as: String.self))",
                detail: "shows \(counted) \(state) jobs, and there are \(present)", foundAt: now)
        }
    }
}
