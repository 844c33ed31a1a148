package import FarmAPI
import DraftModel
import ExportPlan
import JobQueue
import Postgres
package import FoundationEssentials

/// Batches from acceptance to the end. The counts of a batch, its state and the time of its end are set by the triggers
/// of `migrations/0025_batches.sql`, in the transactions that end its exports.
extension PostgresFarmStore {
    private static let batchColumns = """
        SELECT id, number, tenant_id, label, pool, state, pace, tags, metadata, created_at, ended_at, warnings, row_count,
          refused, waiting, completed, failed, cancelled FROM batches
        """

    package func batch(_ id: BatchID, tenant: Int64?) async throws -> Batch? {
        try await query(
            "\(PostgresFarmStore.batchColumns) WHERE id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)",
            [.uuid(id.text), .optional(tenant) { .int64($0) }]
        ).first.map { try $0.batch() }
    }

    package func batches(tenant: Int64?, state: BatchState?, before number: Int64?, limit: Int) async throws -> [Batch] {
        try await query(
            """
            \(PostgresFarmStore.batchColumns) WHERE ($1::bigint IS NULL OR tenant_id = $1) AND ($2::text IS NULL OR state = $2)
              AND ($4::bigint IS NULL OR number < $4)
            ORDER BY number DESC LIMIT $3
            """,
            [
                .optional(tenant) { .int64($0) }, .optional(state) { .text($0.rawValue) }, .int64(Int64(limit)),
                .optional(number) { .int64($0) },
            ]
        ).map { try $0.batch() }
    }

    package func results(of id: BatchID, after row: Int, state: BatchRowState?, limit: Int) async throws -> [BatchResult] {
        try await query(
            """
            SELECT * FROM (
              SELECT batch_rows.number, content, output, export_id, faults, frame_count, finished_at, failure,
                CASE WHEN faults IS NOT NULL THEN 'refused' WHEN is_waiting THEN 'waiting'
                  ELSE coalesce(exports.state, 'cancelled') END AS state
              FROM batch_rows LEFT JOIN exports ON exports.id = export_id
              WHERE batch_rows.batch_id = $1 AND batch_rows.number > $2) AS results
            WHERE $3::text IS NULL OR state = $3 ORDER BY number LIMIT $4
            """,
            [.uuid(id.text), .int64(Int64(row)), .optional(state) { .text($0.rawValue) }, .int64(Int64(limit))]
        ).map { try $0.batchResult() }
    }

    package func cancelWaiting(_ id: BatchID, limit: Int) async throws -> [ExportID]? {
        try await transaction { transaction in
            // No rows are submitted while the batch's row is locked.
            let found = try await transaction.query("SELECT FROM batches WHERE id = $1 FOR NO KEY UPDATE", [.uuid(id.text)])
            guard !found.isEmpty else { return nil }
            let count = try await transaction.execute(
                "UPDATE batch_rows SET is_waiting = false WHERE batch_id = $1 AND is_waiting", [.uuid(id.text)])
            if count > 0 {
                try await transaction.execute(
                    "UPDATE batches SET waiting = waiting - $2, cancelled = cancelled + $2 WHERE id = $1",
                    [.uuid(id.text), .int64(Int64(count))])
            }
            return try await transaction.query(
                """
                SELECT id FROM exports WHERE batch_id = $1 AND state = ANY($2) ORDER BY batch_row LIMIT $3
                """,
                [
                    .uuid(id.text), .textArray(ExportLifecycle.states(changedBy: .cancelled).map(\.rawValue)),
                    .int64(Int64(limit)),
                ]
            ).map { try $0.exportID("id") }
        }
    }

    package func rerunFailed(_ id: BatchID) async throws -> Int {
        let now = self.now()
        return try await transaction { transaction in
            // Exports are locked before their batch, as by everybody who ends exports.
            let failed = try await transaction.query(
                """
                SELECT id, batch_row FROM exports WHERE batch_id = $1 AND state = 'failed' ORDER BY id FOR NO KEY UPDATE
                """, [.uuid(id.text)])
            guard !failed.isEmpty else { return 0 }
            let exports = PostgresValue.textArray(try failed.map { try $0.get("id", as: String.self) })
            let rows = PostgresValue.int64Array(try failed.map { try $0.get("batch_row", as: Int64.self) })
            try await transaction.execute(
                "UPDATE exports SET batch_id = NULL, batch_row = NULL WHERE id = ANY($1::uuid[])", [exports])
            try await transaction.execute(
                """
                UPDATE batch_rows SET is_waiting = true, export_id = NULL WHERE batch_id = $1 AND number = ANY($2::bigint[])
                """, [.uuid(id.text), rows])
            try await transaction.execute(
                """
                UPDATE batches SET failed = failed - $2, waiting = waiting + $2, release_at = greatest(release_at, $3)
                WHERE id = $1
                """, [.uuid(id.text), .int64(Int64(failed.count)), .timestamp(now)])
            try await transaction.announce(.submission)
            return failed.count
        }
    }

    // MARK: Submitting rows

    package func hasWaitingRows() async throws -> Bool {
        try await query("SELECT EXISTS (SELECT FROM batches WHERE waiting > 0) AS found").first?.get("found") ?? false
    }

    package func releaseRows(at now: Date) async throws -> Int {
        try await transaction { transaction in
            let row = try await transaction.query(
                """
                SELECT batches.id, pace, release_at, row_count - waiting - completed - failed - cancelled AS open,
                  max_open_exports - \(PostgresFarmStore.openExports) AS room
                FROM batches JOIN tenants ON tenants.id = batches.tenant_id
                WHERE waiting > 0 AND release_at <= $1 AND row_count - waiting - completed - failed - cancelled < $2
                  AND (max_open_exports IS NULL OR \(PostgresFarmStore.openExports) < max_open_exports)
                ORDER BY release_at, number LIMIT 1 FOR NO KEY UPDATE OF batches SKIP LOCKED
                """, [.timestamp(now), .int64(Int64(ReleasePace.window))]
            ).first
            guard let row else { return 0 }
            let id = try row.batchID("id")
            let (count, next) = ReleasePace(perMinute: try row.get("pace")).release(
                due: try row.get("release_at"), at: now, open: try row.get("open"))
            let room = max(0, try row.get("room", as: Int?.self) ?? count)
            let made = try await transaction.makeExports(ofWaitingRows: min(count, room), of: id, at: now)
            try await transaction.log(
                made.map { NewEvent(export: $0, job: nil, kind: .submitted, message: "accepted") }, at: now)
            try await transaction.execute(
                "UPDATE batches SET waiting = waiting - $2, release_at = $3 WHERE id = $1",
                [.uuid(id.text), .int64(Int64(made.count)), .timestamp(next)])
            try await transaction.announce(.submission)
            return made.count
        }
    }
}

extension PostgresTransaction {
    /// Makes exports of the first waiting rows of a batch, whose row is locked.
    fileprivate func makeExports(ofWaitingRows count: Int, of id: BatchID, at now: Date) async throws -> [ExportID] {
        try await query(
            """
            WITH taken AS MATERIALIZED (
              SELECT number, content, output, tags, ($6::text[])[row_number() OVER (ORDER BY number)]::uuid AS export_id
              FROM batch_rows WHERE batch_id = $1 AND is_waiting ORDER BY number LIMIT $2),
            made AS (
              INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state,
                created_at, tags, metadata, batch_id, batch_row)
              SELECT taken.export_id, tenant_id, draft_id, draft_revision, right(output, $5::integer), parameters || coalesce(
                  (SELECT jsonb_object_agg(key, value) FROM jsonb_each(content) WHERE key = ANY(columns)), '{}'::jsonb),
                settings, CASE WHEN exceeds_cap THEN priority ELSE least(coalesce(priority, 0), priority_cap) END, pool, $3,
                $4, taken.tags, metadata, batches.id, taken.number
              FROM taken CROSS JOIN batches JOIN tenants ON tenants.id = tenant_id
              WHERE batches.id = $1 ORDER BY taken.number
              RETURNING id, batch_row),
            noted AS (
              UPDATE batch_rows SET is_waiting = false, export_id = made.id FROM made
              WHERE batch_id = $1 AND batch_rows.number = made.batch_row)
            SELECT id FROM made ORDER BY batch_row
            """,
            [
                .uuid(id.text), .int64(Int64(count)), .text(ExportLifecycle().state.rawValue), .timestamp(now),
                .int64(Int64(TextCheck.labelLength)), .textArray((0..<count).map { _ in ExportID().text }),
            ]
        ).map { try $0.exportID("id") }
    }
}

extension PostgresRow {
    fileprivate func batch() throws -> Batch {
        var progress = BatchProgress(rows: try get("row_count"), refused: try get("refused"), waiting: try get("waiting"))
        progress.completed = try get("completed")
        progress.failed = try get("failed")
        progress.cancelled = try get("cancelled")
        return Batch(
            id: try batchID("id"), number: try get("number"), tenant: try get("tenant_id"), label: try get("label"),
            pool: try get("pool"), state: try named("state", BatchState.self), pace: try get("pace"),
            tags: try get("tags", as: String?.self).map { try PostgresFarmStore.fromJSON([String: String].self, $0) },
            metadata: try get("metadata", as: String?.self).map { try PostgresFarmStore.fromJSON(FreeJSON.self, $0) },
            createdAt: try get("created_at"), endedAt: try get("ended_at"), progress: progress,
            warnings: try PostgresFarmStore.fromJSON([DraftDiagnostic].self, try get("warnings")))
    }

    fileprivate func batchResult() throws -> BatchResult {
        var message = try get("failure", as: String?.self).map { ExportFailure(stored: $0).message }
        if let faults = try get("faults", as: String?.self) {
            message = BatchResult.message(of: try PostgresFarmStore.fromJSON([DraftDiagnostic].self, faults))
        }
        return BatchResult(
            row: try get("number"), state: try named("state", BatchRowState.self), output: try get("output"),
            export: try get("export_id", as: String?.self).flatMap { ExportID($0) },
            frames: try get("frame_count", as: Int?.self),
            finishedAt: try get("finished_at"), message: message,
            values: try PostgresFarmStore.fromJSON([String: String].self, try get("content")))
    }
}

extension BatchResult {
    /// The faults of a refused row as one text.
    static func message(of faults: [DraftDiagnostic]) -> String {
        faults.map { fault in
            guard let column = fault.row?.column else { return fault.message }
            return "column '\(column)': \(fault.message)"
        }.joined(separator: "; ")
    }
}
