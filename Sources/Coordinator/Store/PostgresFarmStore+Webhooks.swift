package import FarmAPI
import Postgres
package import FoundationEssentials

/// Webhooks in the database. Their deliveries are in `PostgresFarmStore+Deliveries.swift`.
extension PostgresFarmStore {
    /// The channel that is notified when deliveries were added.
    package static let webhookChannel = "spool_webhooks"

    /// The columns that `PostgresRow.webhook` reads.
    private static let webhookColumns = """
        id, tenant_id, address, label, events, progress_step, disabled_at, disabled_reason, failing_since, former_secret_until,
        created_at
        """

    /// The condition that $1 is the webhook's id and $2 its tenant, or NULL for the operator.
    private static let visible = "id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)"

    package func createWebhook(_ wanted: NewWebhook, secret: String, tenant: Int64) async throws -> Webhook {
        try await transaction { transaction in
            // The tenant's row is held, so that two requests do not both take the last place.
            guard try await !transaction.query("SELECT FROM tenants WHERE id = $1 FOR UPDATE", [.int64(tenant)]).isEmpty else {
                throw FarmError(.notFound, "there is no tenant \(tenant)")
            }
            let made = try await transaction.query(
                """
                INSERT INTO webhooks (tenant_id, address, secret, events, label, progress_step)
                SELECT $1, $2, $3, $4::text[], $5, $6 WHERE (SELECT count(*) FROM webhooks WHERE tenant_id = $1) < $7
                RETURNING \(PostgresFarmStore.webhookColumns)
                """,
                [
                    .int64(tenant), .text(wanted.address), .text(secret),
                    .textArray((wanted.events ?? WebhookEvent.usual).map(\.rawValue)), .text(wanted.label ?? ""),
                    .int64(Int64(wanted.progressStep ?? Webhook.usualProgressStep)), .int64(Int64(Webhook.mostPerTenant)),
                ])
            guard let row = made.first else { throw FarmError.tooManyWebhooks }
            return try row.webhook()
        }
    }

    package func webhooks(tenant: Int64?) async throws -> [Webhook] {
        try await query(
            """
            SELECT \(PostgresFarmStore.webhookColumns) FROM webhooks WHERE $1::bigint IS NULL OR tenant_id = $1 ORDER BY id
            """, [.optional(tenant) { .int64($0) }]
        ).map { try $0.webhook() }
    }

    package func webhook(_ id: Int64, tenant: Int64?) async throws -> Webhook? {
        try await query(
            "SELECT \(PostgresFarmStore.webhookColumns) FROM webhooks WHERE \(PostgresFarmStore.visible)",
            [.int64(id), .optional(tenant) { .int64($0) }]
        ).first.map { try $0.webhook() }
    }

    package func changeWebhook(_ id: Int64, _ change: WebhookChange, tenant: Int64?) async throws -> Webhook? {
        let now = self.now()
        return try await transaction { transaction in
            let rows = try await transaction.query(
                """
                UPDATE webhooks SET address = coalesce($3, address), label = coalesce($4, label),
                  events = coalesce($5::text[], events), progress_step = coalesce($6, progress_step),
                  disabled_at = CASE WHEN $7 THEN NULL WHEN NOT $7 THEN coalesce(disabled_at, $8) ELSE disabled_at END,
                  disabled_reason = CASE WHEN $7 THEN NULL WHEN NOT $7 THEN coalesce(disabled_reason, $9)
                    ELSE disabled_reason END,
                  failing_since = CASE WHEN $7 THEN NULL ELSE failing_since END
                WHERE \(PostgresFarmStore.visible) RETURNING \(PostgresFarmStore.webhookColumns)
                """,
                [
                    .int64(id), .optional(tenant) { .int64($0) }, .optional(change.address) { .text($0) },
                    .optional(change.label) { .text($0) }, .optional(change.events) { .textArray($0.map(\.rawValue)) },
                    .optional(change.progressStep) { .int64(Int64($0)) }, .optional(change.isEnabled) { .bool($0) },
                    .timestamp(now), .text(WebhookReason.disabledByClient),
                ])
            guard let webhook = try rows.first?.webhook() else { return nil }
            if change.isEnabled == false {
                try await transaction.endDeliveries(of: id, WebhookReason.disabledByClient, at: now)
            }
            return webhook
        }
    }

    package func removeWebhook(_ id: Int64, tenant: Int64?) async throws -> Bool {
        try await execute(
            "DELETE FROM webhooks WHERE \(PostgresFarmStore.visible)", [.int64(id), .optional(tenant) { .int64($0) }]) > 0
    }

    package func rotateSecret(
        of id: Int64, to secret: String, overlap: TimeInterval, tenant: Int64?
    ) async throws -> Webhook? {
        try await write(
            """
            UPDATE webhooks SET secret = $3, former_secret = CASE WHEN $4::timestamptz IS NOT NULL THEN secret END,
              former_secret_until = $4
            WHERE \(PostgresFarmStore.visible) RETURNING \(PostgresFarmStore.webhookColumns)
            """,
            [
                .int64(id), .optional(tenant) { .int64($0) }, .text(secret),
                .optional(overlap > 0 ? now() + overlap : nil) { .timestamp($0) },
            ]
        ).rows.first.map { try $0.webhook() }
    }
}

extension FarmError {
    static let tooManyWebhooks = FarmError(
        .conflict, "a tenant has at most \(Webhook.mostPerTenant) webhooks; remove one that is not needed, or change one")

    static func webhookIsDisabled(_ id: Int64) -> FarmError {
        FarmError(.conflict, "webhook \(id) is disabled; enable it first")
    }
}

extension PostgresTransaction {
    /// Ends the pending deliveries of a webhook that is disabled.
    func endDeliveries(of webhook: Int64, _ reason: String, at now: Date) async throws {
        try await execute(
            """
            UPDATE webhook_deliveries SET state = 'failed', ended_at = $2, message = $3
            WHERE webhook_id = $1 AND state = 'pending'
            """, [.int64(webhook), .timestamp(now), .text(WebhookReason.notSent(reason))])
    }
}

extension PostgresRow {
    fileprivate func webhook() throws -> Webhook {
        Webhook(
            id: try get("id"), tenant: try get("tenant_id"), address: try get("address"), label: try get("label"),
            // An event of another version is left out.
            events: try get("events", as: [String].self).compactMap(WebhookEvent.init), progressStep: try get("progress_step"),
            disabledAt: try get("disabled_at"), disabledReason: try get("disabled_reason"),
            failingSince: try get("failing_since"), formerSecretUntil: try get("former_secret_until"),
            createdAt: try get("created_at"))
    }
}
