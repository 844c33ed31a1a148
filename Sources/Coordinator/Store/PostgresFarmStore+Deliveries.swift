package import FarmAPI
import Postgres
package import FoundationEssentials

/// The deliveries of webhooks in the database. A trigger adds those about the end of an export (migration 26).
extension PostgresFarmStore {
    /// The columns that `PostgresRow.delivery` reads.
    private static let deliveryColumns = """
        id, webhook_id, event, export_id, message_id, state, attempts, created_at, due_at, attempted_at, ended_at, status, message
        """

    package func testWebhook(_ id: Int64, tenant: Int64?) async throws -> WebhookDelivery? {
        let now = self.now()
        return try await transaction { transaction in
            guard let isEnabled = try await transaction.isEnabled(id, tenant) else { return nil }
            guard isEnabled else { throw FarmError.webhookIsDisabled(id) }
            let rows = try await transaction.query(
                """
                INSERT INTO webhook_deliveries (webhook_id, event, content, created_at, queued_at, due_at)
                VALUES ($1, $2, $3, $4, $4, $4) RETURNING \(PostgresFarmStore.deliveryColumns)
                """,
                [
                    .int64(id), .text(WebhookEvent.test.rawValue),
                    try PostgresFarmStore.json(WebhookMessage.Content(webhook: id)),
                    .timestamp(now),
                ])
            _ = try await transaction.query("SELECT pg_notify('\(PostgresFarmStore.webhookChannel)', '')")
            return try rows.first?.delivery()
        }
    }

    package func deliveries(
        of webhook: Int64, state: WebhookDeliveryState?, before delivery: Int64?, limit: Int
    ) async throws -> [WebhookDelivery] {
        try await query(
            """
            SELECT \(PostgresFarmStore.deliveryColumns) FROM webhook_deliveries
            WHERE webhook_id = $1 AND ($2::text IS NULL OR state = $2) AND ($4::bigint IS NULL OR id < $4)
            ORDER BY id DESC LIMIT $3
            """,
            [
                .int64(webhook), .optional(state) { .text($0.rawValue) }, .int64(Int64(limit)),
                .optional(delivery) { .int64($0) },
            ]
        ).map { try $0.delivery() }
    }

    package func redeliver(_ delivery: Int64, of webhook: Int64) async throws -> WebhookDelivery? {
        let now = self.now()
        return try await transaction { transaction in
            guard let isEnabled = try await transaction.isEnabled(webhook, nil) else { return nil }
            let rows = try await transaction.query(
                """
                UPDATE webhook_deliveries SET state = 'pending', attempts = 0, queued_at = $3, due_at = $3, ended_at = NULL
                WHERE id = $1 AND webhook_id = $2 RETURNING \(PostgresFarmStore.deliveryColumns)
                """, [.int64(delivery), .int64(webhook), .timestamp(now)])
            guard let row = rows.first else { return nil }
            guard isEnabled else { throw FarmError.webhookIsDisabled(webhook) }
            _ = try await transaction.query("SELECT pg_notify('\(PostgresFarmStore.webhookChannel)', '')")
            return try row.delivery()
        }
    }

    // MARK: The leader

    package func dueDeliveries(
        at now: Date, perWebhook: Int, underWay: [Int64: Int64], limit: Int
    ) async throws -> [OutgoingDelivery] {
        // One webhook after the other: a step in an index finds what is due, however much waits for a webhook that is away.
        try await query(
            """
            SELECT due.*, webhooks.address, secret, failing_since,
              CASE WHEN former_secret_until > $1 THEN former_secret END AS former_secret
            FROM webhooks
            CROSS JOIN LATERAL (
              SELECT count(*) AS under_way FROM unnest($4::bigint[]) AS busy(webhook) WHERE busy.webhook = webhooks.id) AS busy
            CROSS JOIN LATERAL (
              SELECT id, webhook_id, export_id, event, message_id, content::text AS content, attempts, created_at, queued_at, due_at
              FROM webhook_deliveries AS pending
              WHERE webhook_id = webhooks.id AND state = 'pending' AND due_at <= $1 AND NOT id = ANY($3)
                AND NOT EXISTS (
                  SELECT FROM webhook_deliveries AS earlier
                  WHERE earlier.webhook_id = pending.webhook_id AND earlier.export_id = pending.export_id
                    AND earlier.state = 'pending' AND earlier.id < pending.id)
              ORDER BY due_at, id
              LIMIT greatest(0, CASE WHEN failing_since IS NULL THEN $2 ELSE 1 END - under_way)) AS due
            WHERE disabled_at IS NULL
            ORDER BY failing_since IS NOT NULL, due_at, id LIMIT $5
            """,
            [
                .timestamp(now), .int64(Int64(perWebhook)), .int64Array(underWay.keys.sorted()),
                .int64Array(underWay.values.sorted()), .int64(Int64(limit)),
            ]
        ).map { try $0.outgoingDelivery() }
    }

    package func nextDelivery(after now: Date) async throws -> Date? {
        try await query(
            """
            SELECT min(due_at) AS due_at FROM webhooks CROSS JOIN LATERAL (
              SELECT due_at FROM webhook_deliveries
              WHERE webhook_id = webhooks.id AND state = 'pending' AND due_at > $1 ORDER BY due_at LIMIT 1) AS next
            WHERE disabled_at IS NULL
            """, [.timestamp(now)]
        ).first?.get("due_at", as: Date?.self)
    }

    package func record(
        _ attempt: WebhookAttempt, at delivery: OutgoingDelivery, _ outcome: WebhookOutcome
    ) async throws {
        let (state, due): (WebhookDeliveryState, Date?) =
            switch outcome {
            case .delivered: (.delivered, nil)
            case .retry(let due): (.pending, due)
            case .failed, .disable: (.failed, nil)
            }
        try await transaction { transaction in
            let changed = try await transaction.execute(
                """
                UPDATE webhook_deliveries SET state = $2, attempts = attempts + 1, attempted_at = $3, status = $4, message = $5,
                  due_at = coalesce($6, due_at), ended_at = CASE WHEN $2 <> 'pending' THEN $3::timestamptz END
                WHERE id = $1 AND state = 'pending'
                """,
                [
                    .int64(delivery.id), .text(state.rawValue), .timestamp(attempt.at),
                    .optional(attempt.status) { .int64(Int64($0)) }, .text(PostgresFarmStore.storable(attempt.message)),
                    .optional(due) { .timestamp($0) },
                ])
            guard changed > 0 else { return }
            if let due, let export = delivery.export {
                // Later deliveries about the export wait for this one.
                try await transaction.execute(
                    """
                    UPDATE webhook_deliveries SET due_at = $4
                    WHERE webhook_id = $1 AND export_id = $2 AND state = 'pending' AND id > $3 AND due_at < $4
                    """, [.int64(delivery.webhook), .uuid(export.text), .int64(delivery.id), .timestamp(due)])
            }
            try await transaction.note(outcome, of: delivery, at: attempt.at)
        }
    }
}

/// The removal of old deliveries.
extension PostgresFarmStore {
    /// Deliveries of webhooks that are gone.
    private static let orphans = """
        FROM webhook_deliveries WHERE NOT EXISTS (SELECT FROM webhooks WHERE webhooks.id = webhook_id)
        """

    package func dropDeliveries(endedBefore cutoff: Date, limit: Int) async throws -> RowCounts {
        var counts = RowCounts()
        counts.droppedDeliveries = try await execute(
            """
            DELETE FROM webhook_deliveries WHERE id IN (
              SELECT id FROM webhook_deliveries WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
            """, [.timestamp(cutoff), .int64(Int64(limit))])
        // Where there are no orphans, the search for them reads the whole table.
        guard counts.isEmpty else { return counts }
        counts.droppedDeliveries = try await execute(
            "DELETE FROM webhook_deliveries WHERE id IN (SELECT id \(PostgresFarmStore.orphans) LIMIT $1)",
            [.int64(Int64(limit))])
        return counts
    }

    /// How many deliveries `dropDeliveries` would remove.
    func expiredDeliveries(_ cutoff: Date?) async throws -> Int {
        guard let cutoff else { return 0 }
        return try await query(
            """
            SELECT count(*) AS count FROM (
              SELECT id FROM webhook_deliveries WHERE ended_at < $1 UNION SELECT id \(PostgresFarmStore.orphans)) AS old
            """, [.timestamp(cutoff)]
        ).first?.get("count") ?? 0
    }
}

extension PostgresTransaction {
    /// Whether a webhook is enabled; nil where there is no such webhook. It stays so until the transaction ends.
    fileprivate func isEnabled(_ id: Int64, _ tenant: Int64?) async throws -> Bool? {
        try await query(
            """
            SELECT disabled_at IS NULL AS enabled FROM webhooks
            WHERE id = $1 AND ($2::bigint IS NULL OR tenant_id = $2) FOR SHARE
            """, [.int64(id), .optional(tenant) { .int64($0) }]
        ).first?.get("enabled")
    }

    /// Records what an attempt means for the webhook.
    fileprivate func note(_ outcome: WebhookOutcome, of delivery: OutgoingDelivery, at now: Date) async throws {
        switch outcome {
        case .delivered:
            try await execute(
                "UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL",
                [.int64(delivery.webhook)])
        case .retry, .failed:
            guard delivery.event != .test else { return }
            try await execute(
                "UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL",
                [.int64(delivery.webhook), .timestamp(now)])
        case .disable(let reason):
            try await execute(
                "UPDATE webhooks SET disabled_at = $2, disabled_reason = $3 WHERE id = $1 AND disabled_at IS NULL",
                [.int64(delivery.webhook), .timestamp(now), .text(PostgresFarmStore.storable(reason))])
            try await endDeliveries(of: delivery.webhook, reason, at: now)
        }
    }
}

extension PostgresRow {
    fileprivate func delivery() throws -> WebhookDelivery {
        let state = try named("state", WebhookDeliveryState.self)
        return WebhookDelivery(
            id: try get("id"), webhook: try get("webhook_id"), event: try named("event", WebhookEvent.self),
            export: try get("export_id", as: String?.self).flatMap { ExportID($0) }, messageID: try get("message_id"),
            state: state, attempts: try get("attempts"), createdAt: try get("created_at"),
            dueAt: state == .pending ? try get("due_at") : nil, attemptedAt: try get("attempted_at"),
            endedAt: try get("ended_at"), status: try get("status"), message: try get("message"))
    }

    fileprivate func outgoingDelivery() throws -> OutgoingDelivery {
        OutgoingDelivery(
            id: try get("id"), webhook: try get("webhook_id"),
            export: try get("export_id", as: String?.self).flatMap { ExportID($0) },
            event: try named("event", WebhookEvent.self), messageID: try get("message_id"), content: try get("content"),
            attempts: try get("attempts"), createdAt: try get("created_at"), queuedAt: try get("queued_at"),
            address: try get("address"), secret: try get("secret"), formerSecret: try get("former_secret"),
            failingSince: try get("failing_since"))
    }
}
