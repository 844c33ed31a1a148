package import FarmAPI
import Postgres
import FoundationEssentials

/// The acceptance of exports.
extension PostgresFarmStore {
    package func submit(_ exports: [NewExport]) async throws -> [(export: Export, isNew: Bool)] {
        let outcomes = try await transaction { transaction in
            let known = try await transaction.earlierExports(of: exports)
            let new = zip(exports, known).filter { $0.1 == nil }.map(\.0)
            var inserted = try await transaction.insert(new)[...]
            return known.map { $0.map(SubmitOutcome.known) ?? .new(inserted.removeFirst()) }
        }
        var accepted: [(export: Export, isNew: Bool)] = []
        for (outcome, wanted) in zip(outcomes, exports) {
            switch outcome {
            case .new(let export): accepted.append((export, true))
            case .known(let id):
                guard let export = try await export(id, tenant: wanted.tenant) else {
                    throw FarmError(.internalError, "export \(id) is gone")
                }
                accepted.append((export, false))
            }
        }
        return accepted
    }
}

extension PostgresFarmStore {
    /// How many exports of the row's tenant are not over; NULL where the tenant has no quota.
    static let openExports = """
        CASE WHEN max_open_exports IS NOT NULL THEN (
          SELECT count(*) FROM exports WHERE tenant_id = tenants.id AND state IN ('submitted', 'probing', 'rendering')) END
        """
}

/// The outcome of one submission.
private enum SubmitOutcome: Sendable {
    case new(Export)
    /// The export that the same submission made before.
    case known(ExportID)
}

extension PostgresTransaction {
    /// The exports that were made with the idempotency keys; nil where there is no key, or a new one. The keys stay
    /// locked until the transaction ends, so that the second of two simultaneous requests waits for the first.
    /// - Throws: `FarmError` `conflict` when a key was used for another request.
    fileprivate func earlierExports(of exports: [NewExport]) async throws -> [ExportID?] {
        let keyed = exports.enumerated().filter { $0.element.idempotency != nil }
        guard !keyed.isEmpty else { return exports.map { _ in nil } }
        let tenants = PostgresValue.int64Array(keyed.map(\.element.tenant))
        let keys = PostgresValue.textArray(keyed.map { $0.element.idempotency?.key })
        let results = try await pipeline([
            // Locks are taken in one order, so that two groups never wait for each other.
            PostgresStatement(
                """
                SELECT pg_advisory_xact_lock(number) FROM (
                  SELECT DISTINCT hashtextextended(tenant || ' ' || key, 0) AS number
                  FROM unnest($1::bigint[], $2::text[]) AS given(tenant, key) ORDER BY 1) AS locks
                """, [tenants, keys]),
            PostgresStatement(
                """
                SELECT export_id, body_hash, place FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS given(tenant, key, place)
                JOIN idempotency_keys AS known ON known.tenant_id = given.tenant AND known.key = given.key
                """, [tenants, keys]),
        ])
        var known: [ExportID?] = exports.map { _ in nil }
        for row in results.last?.rows ?? [] {
            let (place, export) = keyed[Int(try row.get("place", as: Int64.self)) - 1]
            guard let idempotency = export.idempotency, try row.get("body_hash", as: String.self) == idempotency.bodyHash else {
                throw FarmError(.conflict, "the idempotency key '\(export.idempotency?.key ?? "")' was used for another request")
            }
            known[place] = try row.exportID("export_id")
        }
        return known
    }

    /// Inserts accepted exports with the draft revisions that they render, in one round trip where the drafts are new, so
    /// that thousands of drafts are accepted in a minute.
    /// - Returns: the exports in the same order.
    fileprivate func insert(_ exports: [NewExport]) async throws -> [Export] {
        guard !exports.isEmpty else { return [] }
        let now = Date()
        let tenants = Set(exports.map(\.tenant)).sorted()
        let accepted = exports.map { NewEvent(export: $0.id, job: nil, kind: .submitted, message: "accepted") }
        // The tenants' rows are held until the exports are stored, so that the caps do not change meanwhile. One
        // transaction at a time holds a tenant with a quota, so that the exports of two submissions are counted one after
        // the other.
        let statements =
            [
                PostgresStatement(
                    "SELECT id FROM tenants WHERE id = ANY($1) AND max_open_exports IS NOT NULL ORDER BY id FOR NO KEY UPDATE",
                    [.int64Array(tenants)]),
                PostgresStatement(
                    """
                    SELECT id, name, priority_cap, max_open_exports, \(PostgresFarmStore.openExports) AS open
                    FROM tenants WHERE id = ANY($1) ORDER BY id FOR SHARE
                    """, [.int64Array(tenants)]), try await insertion(of: exports, at: now),
            ] + (try PostgresFarmStore.logging(accepted, at: now)) + keeping(exports)
            + [PostgresFarmStore.announcing(.submission)]
        let results = try await pipeline(statements)
        var caps: [Int64: PriorityCap] = [:]
        var quotas: [Int64: (quota: TenantQuota, open: Int)] = [:]
        for row in results[1].rows {
            let (id, name) = (try row.get("id", as: Int64.self), try row.get("name", as: String.self))
            caps[id] = PriorityCap(tenant: name, cap: try row.get("priority_cap"))
            let quota = TenantQuota(tenant: name, maxOpenExports: try row.get("max_open_exports"), maxAssetBytes: nil)
            quotas[id] = (quota, try row.get("open", as: Int?.self) ?? 0)
        }
        let rows = try Dictionary(uniqueKeysWithValues: results[2].rows.map { (try $0.exportID("id"), $0) })
        return try exports.map { export in
            guard let cap = caps[export.tenant] else { throw FarmError(.notFound, "there is no tenant \(export.tenant)") }
            try cap.check(export.request.priority, mayExceedCap: export.request.mayExceedCap)
            if let (quota, open) = quotas[export.tenant] {
                try quota.check(openExports: open)
                quotas[export.tenant] = (quota, open + 1)
            }
            guard let row = rows[export.id] else { throw FarmError(.internalError, "export \(export.id) was not stored") }
            return Export(
                id: export.id, number: try row.get("number"), tenant: export.tenant, label: export.request.label,
                priority: try row.get("priority"), pool: export.request.pool, state: ExportLifecycle().state,
                createdAt: try row.get("created_at"), tags: export.request.tags.isEmpty ? nil : export.request.tags,
                metadata: export.request.metadata)
        }
    }

    /// The statement that inserts the exports, in their order, with new drafts for documents.
    private func insertion(of exports: [NewExport], at now: Date) async throws -> PostgresStatement {
        var documents: [String?] = []
        var drafts: [Int64?] = []
        var revisions: [Int64?] = []
        for export in exports {
            switch export.request.subject {
            case .document(let document):
                documents.append(document)
                drafts.append(nil)
                revisions.append(1)
            case .named(let name, let wanted):
                let (draft, revision) = try await self.revision(wanted, of: name, tenant: export.tenant)
                documents.append(nil)
                drafts.append(draft)
                revisions.append(revision)
            }
        }
        let requests = exports.map(\.request)
        return PostgresStatement(
            """
            WITH given AS MATERIALIZED (
              SELECT place, export, tenant, label, parameters, settings, priority, pool, content, revision, tags, metadata,
                coalesce(draft, nextval(pg_get_serial_sequence('drafts', 'id'))) AS draft
              FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::jsonb[], $5::jsonb[], $6::bigint[], $7::text[], $8::text[],
                $9::bigint[], $10::bigint[], $13::jsonb[], $14::jsonb[]) WITH ORDINALITY
                AS given(export, tenant, label, parameters, settings, priority, pool, content, draft, revision, tags, metadata,
                  place)),
            made AS (
              INSERT INTO drafts (id, tenant_id) OVERRIDING SYSTEM VALUE SELECT draft, tenant FROM given WHERE content IS NOT NULL),
            rendered AS (
              INSERT INTO draft_revisions (draft_id, revision, content)
              SELECT draft, revision, content FROM given WHERE content IS NOT NULL)
            INSERT INTO exports
              (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, created_at, tags,
                metadata)
            SELECT export, tenant, draft, revision, label, parameters, settings,
              coalesce(priority, least(0, priority_cap)), pool, $11, $12, tags, metadata
            FROM given JOIN tenants ON tenants.id = tenant ORDER BY place
            RETURNING id, number, priority, created_at
            """,
            [
                .textArray(exports.map(\.id.text)), .int64Array(exports.map(\.tenant)), .textArray(requests.map(\.label)),
                .textArray(try requests.map { try PostgresFarmStore.jsonText($0.parameters) }),
                .textArray(try requests.map { try PostgresFarmStore.jsonText($0.settings) }),
                .int64Array(requests.map { $0.priority.map(Int64.init) }), .textArray(requests.map(\.pool)),
                .textArray(documents), .int64Array(drafts), .int64Array(revisions), .text(ExportLifecycle().state.rawValue),
                .timestamp(now),
                .textArray(try requests.map { $0.tags.isEmpty ? nil : try PostgresFarmStore.jsonText($0.tags) }),
                .textArray(try requests.map { try $0.metadata.map(PostgresFarmStore.jsonText) }),
            ])
    }

    /// The statements that keep the exports' idempotency keys.
    private func keeping(_ exports: [NewExport]) -> [PostgresStatement] {
        let keyed = exports.filter { $0.idempotency != nil }
        guard !keyed.isEmpty else { return [] }
        return [
            PostgresStatement(
                """
                INSERT INTO idempotency_keys (tenant_id, key, body_hash, export_id)
                SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[])
                """,
                [
                    .int64Array(keyed.map(\.tenant)), .textArray(keyed.map { $0.idempotency?.key }),
                    .textArray(keyed.map { $0.idempotency?.bodyHash }), .textArray(keyed.map(\.id.text)),
                ])
        ]
    }

    /// Finds a revision of a draft of the library.
    /// - Parameter wanted: nil for the newest.
    func revision(_ wanted: Int?, of name: String, tenant: Int64) async throws -> (draft: Int64, revision: Int64) {
        let found = try await query(
            """
            SELECT draft_id, revision FROM drafts JOIN draft_revisions ON draft_id = drafts.id
            WHERE tenant_id = $1 AND name = $2 AND ($3::bigint IS NULL OR revision = $3) ORDER BY revision DESC LIMIT 1
            """, [.int64(tenant), .text(name), .optional(wanted) { .int64(Int64($0)) }]
        ).first
        guard let found else {
            throw FarmError(
                .notFound, wanted.map { "there is no revision \($0) of a draft '\(name)'" } ?? "there is no draft '\(name)'")
        }
        return (try found.get("draft_id"), try found.get("revision"))
    }
}
