package import FarmAPI
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func putDraft(
        _ name: String, document: String, tenant: Int64, if condition: @escaping @Sendable (String?) throws -> Void
    ) async throws -> DraftRevision {
        try await transaction { try await $0.addRevision(name, document: document, tenant: tenant, if: condition) }
    }

    package func draft(
        _ name: String, revision: Int?, tenant: Int64
    ) async throws -> (revision: DraftRevision, document: String)? {
        let rows = try await query(
            """
            SELECT name, revision, draft_revisions.created_at, content FROM drafts JOIN draft_revisions ON draft_id = drafts.id
            WHERE tenant_id = $1 AND name = $2 AND ($3::bigint IS NULL OR revision = $3) ORDER BY revision DESC LIMIT 1
            """, [.int64(tenant), .text(name), .optional(revision) { .int64(Int64($0)) }])
        return try rows.first.map { (try draftRevision($0), try $0.get("content")) }
    }

    package func drafts(tenant: Int64, after name: String?, limit: Int) async throws -> [DraftRevision] {
        try await query(
            """
            SELECT DISTINCT ON (name) name, revision, draft_revisions.created_at
            FROM drafts JOIN draft_revisions ON draft_id = drafts.id
            WHERE tenant_id = $1 AND name IS NOT NULL AND ($2::text IS NULL OR name > $2)
            ORDER BY name, revision DESC LIMIT $3
            """, [.int64(tenant), .optional(name) { .text($0) }, .int64(Int64(limit))]
        ).map(draftRevision)
    }

    package func draftRevisions(
        _ name: String, tenant: Int64, before revision: Int?, limit: Int
    ) async throws -> [DraftRevisionReport] {
        let made = "FROM exports WHERE exports.draft_id = found.draft_id AND exports.draft_revision = found.revision"
        return try await query(
            """
            SELECT revision, created_at, octet_length(content)::bigint AS bytes, (SELECT count(*) \(made)) AS exports,
              ARRAY(SELECT id::text \(made) ORDER BY number DESC LIMIT \(DraftRevisionReport.namedExports)) AS newest
            FROM (
              SELECT draft_id, revision, draft_revisions.created_at, content
              FROM drafts JOIN draft_revisions ON draft_id = drafts.id
              WHERE tenant_id = $1 AND name = $2 AND ($3::bigint IS NULL OR revision < $3)
              ORDER BY revision DESC LIMIT $4) AS found
            ORDER BY revision DESC
            """,
            [
                .int64(tenant), .text(name), .optional(revision) { .int64(Int64($0)) }, .int64(Int64(limit)),
            ]
        ).map { row in
            DraftRevisionReport(
                name: name, revision: try row.get("revision"), createdAt: try row.get("created_at"),
                byteCount: try row.get("bytes"), exportCount: try row.get("exports"),
                newestExports: try row.get("newest", as: [String].self).compactMap { ExportID($0) })
        }
    }

    private func draftRevision(_ row: PostgresRow) throws -> DraftRevision {
        DraftRevision(name: try row.get("name"), revision: try row.get("revision"), createdAt: try row.get("created_at"))
    }

    package func putAsset(_ asset: Asset, tenant: Int64) async throws {
        try await transaction { transaction in
            // The assets of a tenant with a quota are counted one after the other.
            let quota = try await transaction.query(
                "SELECT name, max_asset_bytes FROM tenants WHERE id = $1 AND max_asset_bytes IS NOT NULL FOR NO KEY UPDATE",
                [.int64(tenant)]
            ).first
            let isNew = try await transaction.query(
                """
                INSERT INTO assets (tenant_id, hash, byte_count, name, created_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (tenant_id, hash) DO UPDATE SET used_at = now() RETURNING xmax = 0 AS is_new
                """,
                [
                    .int64(tenant), .text(asset.hash), .int64(asset.byteCount), .text(asset.name), .timestamp(asset.createdAt),
                ]
            ).first?.get("is_new", as: Bool.self)
            guard isNew == true, let quota else { return }
            try TenantQuota(tenant: try quota.get("name"), maxOpenExports: nil, maxAssetBytes: try quota.get("max_asset_bytes"))
                .check(assetBytes: asset.byteCount, stored: try await transaction.assetBytes(of: tenant) - asset.byteCount)
        }
    }

    package func checkRoom(forAssetOf bytes: Int64, tenant: Int64) async throws {
        let quota = try await query(
            "SELECT name, max_asset_bytes FROM tenants WHERE id = $1 AND max_asset_bytes IS NOT NULL", [.int64(tenant)]
        ).first
        guard let quota else { return }
        let stored = try await transaction { try await $0.assetBytes(of: tenant) }
        try TenantQuota(tenant: try quota.get("name"), maxOpenExports: nil, maxAssetBytes: try quota.get("max_asset_bytes"))
            .check(assetBytes: bytes, stored: stored)
    }

    package func asset(_ hash: String, tenant: Int64) async throws -> Asset? {
        let found = try await query(
            """
            SELECT hash, byte_count, name, created_at, used_at < now() - interval '1 hour' AS is_old FROM assets
            WHERE tenant_id = $1 AND hash = $2
            """, [.int64(tenant), .text(hash)]
        ).first
        guard let found else { return nil }
        // The caller is about to use the asset, so it must not be removed for its age. A removal may have come first.
        if try found.get("is_old", as: Bool.self) {
            let isThere = try await execute(
                "UPDATE assets SET used_at = now() WHERE tenant_id = $1 AND hash = $2", [.int64(tenant), .text(hash)])
            guard isThere > 0 else { return nil }
        }
        return try asset(found)
    }

    package func assets(tenant: Int64, after place: ListingPlace?, limit: Int) async throws -> [Asset] {
        try await query(
            """
            SELECT hash, byte_count, name, created_at FROM assets
            WHERE tenant_id = $1 AND ($3::timestamptz IS NULL OR created_at < $3 OR (created_at = $3 AND hash > $4))
            ORDER BY created_at DESC, hash LIMIT $2
            """,
            [
                .int64(tenant), .int64(Int64(limit)), .optional(place) { .timestamp($0.createdAt) },
                .optional(place) { .text($0.id) },
            ]
        ).map(asset)
    }

    private func asset(_ row: PostgresRow) throws -> Asset {
        Asset(
            hash: try row.get("hash"), byteCount: try row.get("byte_count"), name: try row.get("name"),
            createdAt: try row.get("created_at"))
    }
}

extension PostgresTransaction {
    /// Adds a revision of a named draft, unless the document equals the newest revision byte for byte.
    /// - Parameter condition: is asked about the newest document, nil where there is none, and throws to stop the change.
    func addRevision(
        _ name: String, document: String, tenant: Int64, if condition: (String?) throws -> Void = { _ in }
    ) async throws -> DraftRevision {
        // The row's lock makes two writers of one draft take turns.
        let draft = try await query(
            """
            INSERT INTO drafts (tenant_id, name) VALUES ($1, $2)
            ON CONFLICT (tenant_id, name) DO UPDATE SET name = excluded.name RETURNING id
            """, [.int64(tenant), .text(name)])
        guard let id = try draft.first?.get("id", as: Int64.self) else {
            throw FarmError(.internalError, "the draft was not written")
        }
        let newest = try await query(
            "SELECT revision, content, created_at FROM draft_revisions WHERE draft_id = $1 ORDER BY revision DESC LIMIT 1",
            [.int64(id)]
        ).first
        let content = try newest?.get("content", as: String.self)
        try condition(content)
        if let newest, content == document {
            return DraftRevision(name: name, revision: try newest.get("revision"), createdAt: try newest.get("created_at"))
        }
        let revision = (try newest?.get("revision", as: Int.self) ?? 0) + 1
        let made = try await query(
            "INSERT INTO draft_revisions (draft_id, revision, content) VALUES ($1, $2, $3) RETURNING created_at",
            [.int64(id), .int64(Int64(revision)), .text(document)])
        guard let createdAt = try made.first?.get("created_at", as: Date.self) else {
            throw FarmError(.internalError, "the revision was not written")
        }
        return DraftRevision(name: name, revision: revision, createdAt: createdAt)
    }
}

extension PostgresTransaction {
    fileprivate func assetBytes(of tenant: Int64) async throws -> Int64 {
        try await query(
            "SELECT coalesce(sum(byte_count), 0)::bigint AS bytes FROM assets WHERE tenant_id = $1", [.int64(tenant)]
        ).first?.get("bytes") ?? 0
    }
}
