package import FarmAPI
import DraftModel
import JobQueue
import Postgres
import FoundationEssentials

/// The acceptance of batches.
extension PostgresFarmStore {
    package func submit(_ batch: NewBatch) async throws -> (batch: Batch, isNew: Bool) {
        let now = self.now()
        let (id, isNew) = try await transaction { transaction -> (BatchID, Bool) in
            if let earlier = try await transaction.earlierBatch(of: batch) { return (earlier, false) }
            try await transaction.insert(batch, at: now)
            return (batch.id, true)
        }
        guard let stored = try await self.batch(id, tenant: batch.tenant) else {
            throw FarmError(.internalError, "batch \(id) is gone")
        }
        return (stored, isNew)
    }
}

extension PostgresTransaction {
    /// The batch that was made with the idempotency key; nil where there is no key, or a new one. The key stays locked
    /// until the transaction ends.
    fileprivate func earlierBatch(of batch: NewBatch) async throws -> BatchID? {
        guard let idempotency = batch.idempotency else { return nil }
        let results = try await pipeline([
            PostgresStatement(
                "SELECT pg_advisory_xact_lock(hashtextextended('batch '::text || $1::bigint || ' ' || $2::text, 0))",
                [.int64(batch.tenant), .text(idempotency.key)]),
            PostgresStatement(
                "SELECT id, body_hash FROM batches WHERE tenant_id = $1 AND idempotency_key = $2",
                [.int64(batch.tenant), .text(idempotency.key)]),
        ])
        guard let row = results[1].rows.first else { return nil }
        guard try row.get("body_hash", as: String.self) == idempotency.bodyHash else {
            throw FarmError(.conflict, "the idempotency key '\(idempotency.key)' was used for another request")
        }
        return try row.batchID("id")
    }

    /// Inserts a batch and its rows, in one statement each however many rows there are.
    fileprivate func insert(_ batch: NewBatch, at now: Date) async throws {
        let request = batch.request
        // The tenant's row is held until the batch is stored, so that the cap does not change meanwhile.
        let tenant = try await query(
            "SELECT name, priority_cap FROM tenants WHERE id = $1 FOR SHARE", [.int64(batch.tenant)]
        ).first
        guard let tenant else { throw FarmError(.notFound, "there is no tenant \(batch.tenant)") }
        let cap = PriorityCap(tenant: try tenant.get("name"), cap: try tenant.get("priority_cap"))
        try cap.check(request.priority, mayExceedCap: request.mayExceedCap)
        let (draft, revision) = try await template(of: request.subject, tenant: batch.tenant)
        try await execute(
            """
            INSERT INTO batches (id, tenant_id, draft_id, draft_revision, label, parameters, columns, settings, priority,
              exceeds_cap, pool, metadata, tags, warnings, pace, release_at, idempotency_key, body_hash, created_at, row_count,
              refused, waiting)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $16, $19, $20, $19)
            """,
            [
                .uuid(batch.id.text), .int64(batch.tenant), .int64(draft), .int64(revision), .text(request.label),
                try PostgresFarmStore.json(request.parameters), .textArray(batch.columns),
                try PostgresFarmStore.json(request.settings), .optional(request.priority) { .int64(Int64($0)) },
                .bool(request.priority.map { $0 > cap.cap } ?? false), .text(request.pool),
                try PostgresFarmStore.optionalJSON(request.metadata),
                try PostgresFarmStore.optionalJSON(request.tags.isEmpty ? nil : request.tags),
                try PostgresFarmStore.json(batch.warnings), .optional(batch.pace) { .double($0) }, .timestamp(now),
                .optional(batch.idempotency?.key) { .text($0) }, .optional(batch.idempotency?.bodyHash) { .text($0) },
                .int64(Int64(batch.rows.count)), .int64(Int64(batch.refused.count)),
            ])
        _ = try await pipeline([
            try accepted(batch.rows, of: batch.id), try refused(batch.refused, of: batch.id),
            PostgresFarmStore.announcing(.submission),
        ])
    }

    private func accepted(_ rows: [BatchRow], of id: BatchID) throws -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO batch_rows (batch_id, number, content, output, tags, is_waiting)
            SELECT $1::uuid, given.number, given.content::jsonb, given.output, given.tags::jsonb, true
            FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) AS given(number, content, output, tags)
            """,
            [
                .uuid(id.text), .int64Array(rows.map { Int64($0.number) }),
                .textArray(try rows.map { try PostgresFarmStore.jsonText($0.values) }), .textArray(rows.map(\.output)),
                .textArray(try rows.map { $0.tags.isEmpty ? nil : try PostgresFarmStore.jsonText($0.tags) }),
            ])
    }

    private func refused(_ rows: [BatchRows.Refused], of id: BatchID) throws -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO batch_rows (batch_id, number, content, faults, is_waiting)
            SELECT $1::uuid, given.number, given.content::jsonb, given.faults::jsonb, false
            FROM unnest($2::bigint[], $3::text[], $4::text[]) AS given(number, content, faults)
            """,
            [
                .uuid(id.text), .int64Array(rows.map { Int64($0.number) }),
                .textArray(try rows.map { try PostgresFarmStore.jsonText($0.values) }),
                .textArray(try rows.map { try PostgresFarmStore.jsonText($0.faults) }),
            ])
    }

    /// The draft of a batch's template, which is stored once for all rows.
    private func template(of subject: ExportRequest.Subject, tenant: Int64) async throws -> (draft: Int64, revision: Int64) {
        switch subject {
        case .named(let name, let wanted): return try await revision(wanted, of: name, tenant: tenant)
        case .document(let document):
            let row = try await query(
                """
                WITH made AS (INSERT INTO drafts (tenant_id) VALUES ($1) RETURNING id)
                INSERT INTO draft_revisions (draft_id, revision, content) SELECT id, 1, $2 FROM made RETURNING draft_id
                """, [.int64(tenant), .text(document)]
            ).first
            guard let row else { throw FarmError(.internalError, "the template was not stored") }
            return (try row.get("draft_id"), 1)
        }
    }
}

extension PostgresFarmStore {
    /// A value as JSON; NULL where it is nil.
    static func optionalJSON(_ value: (some Encodable)?) throws -> PostgresValue {
        guard let value else { return .null }
        return try json(value)
    }
}

extension PostgresRow {
    func batchID(_ column: String) throws -> BatchID {
        guard let id = BatchID(try get(column, as: String.self)) else {
            throw FarmError(.internalError, "column \(column) does not hold the id of a batch")
        }
        return id
    }
}
