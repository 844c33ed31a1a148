import FarmAPI
import Postgres
package import FoundationEssentials

/// Deliveries of `export.progress` in the database.
extension PostgresFarmStore {
    package func addProgress(since: Date, at now: Date, underWay: [Int64: Int64]) async throws -> Int {
        let reached = try await query(PostgresFarmStore.reachedSteps, [.timestamp(since)])
        guard !reached.isEmpty else { return 0 }
        let exports = PostgresValue.textArray(try reached.map { try $0.exportID("export_id").text })
        let webhooks = PostgresValue.int64Array(try reached.map { try $0.get("webhook_id") })
        let steps = PostgresValue.int64Array(try reached.map { try $0.get("progress") })
        return try await transaction { transaction in
            // An export that ends at this moment is over before its progress is added, or the transaction waits.
            try await transaction.execute(
                "SELECT FROM exports WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE", [exports])
            return try await transaction.execute(
                """
                WITH reached AS MATERIALIZED (
                  SELECT webhook, exports.id AS export, step, webhook_content(exports, step) AS content,
                    open_until(webhook, exports.id) AS due
                  FROM unnest($1::uuid[], $2::bigint[], $3::integer[]) AS given(export, webhook, step)
                  JOIN exports ON exports.id = given.export AND state = 'rendering'),
                dropped AS (
                  DELETE FROM webhook_deliveries USING reached
                  WHERE webhook_id = webhook AND export_id = export AND event = $5 AND state = 'pending' AND NOT id = ANY($6))
                INSERT INTO webhook_deliveries
                  (webhook_id, export_id, event, content, progress, created_at, queued_at, due_at)
                SELECT webhook, export, $5, content, step, $4, $4, greatest($4, due) FROM reached ORDER BY webhook, export
                """,
                [
                    exports, webhooks, steps, .timestamp(now), .text(WebhookEvent.progress.rawValue),
                    .int64Array(underWay.keys.sorted()),
                ])
        }
    }

    /// The exports with jobs that have finished since the time $1, and the steps that they have reached and that no webhook
    /// was told of. Nothing is counted where no webhook asks for progress.
    private static let reachedSteps = """
        WITH asking AS MATERIALIZED (
          SELECT id, tenant_id, progress_step FROM webhooks
          WHERE disabled_at IS NULL AND '\(WebhookEvent.progress.rawValue)' = ANY(events)),
        active AS MATERIALIZED (
          SELECT DISTINCT export_id FROM jobs
          WHERE finished_at >= $1 AND EXISTS (SELECT FROM asking WHERE asking.tenant_id = jobs.tenant_id)),
        counted AS MATERIALIZED (
          SELECT exports.id, tenant_id, done.frames * 100 / frame_count AS percent FROM active
          JOIN exports ON exports.id = export_id AND state = 'rendering' AND frame_count > 0
          CROSS JOIN LATERAL (
            SELECT coalesce(sum(jobs.frame_count), 0)::bigint AS frames FROM jobs
            WHERE export_id = exports.id AND kind = 'video' AND jobs.state = 'done') AS done)
        SELECT asking.id AS webhook_id, counted.id AS export_id, step.progress FROM counted
        JOIN asking ON asking.tenant_id = counted.tenant_id
        CROSS JOIN LATERAL (SELECT percent / progress_step * progress_step AS progress) AS step
        WHERE step.progress > 0 AND step.progress < 100 AND step.progress > coalesce((
          SELECT max(known.progress) FROM webhook_deliveries AS known
          WHERE known.webhook_id = asking.id AND known.export_id = counted.id), 0)
        ORDER BY counted.id, asking.id
        """
}
