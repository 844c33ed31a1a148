package import FarmAPI
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    /// The columns that `PostgresRow.tenant` reads.
    private static let tenantColumns =
        "id, name, weight, priority_cap, source_addresses, max_open_exports, max_open_jobs, max_asset_bytes, created_at"

    package func createTenant(_ name: String, weight: Int, priorityCap: Int) async throws -> Tenant {
        try await transaction { transaction in
            let rows = try await transaction.query(
                """
                INSERT INTO tenants (name, weight, priority_cap) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
                RETURNING \(PostgresFarmStore.tenantColumns)
                """, [.text(name), .int64(Int64(weight)), .int64(Int64(priorityCap))])
            guard let row = rows.first else { throw FarmError(.conflict, "there is a tenant '\(name)' already") }
            try await transaction.announce(.settings)
            return try row.tenant()
        }
    }

    package func changeTenant(_ name: String, _ change: TenantChange) async throws -> Tenant {
        try await transaction { transaction in
            // Submissions hold the row until they are committed, so that none is accepted by the former cap after this.
            let row = try await transaction.query(
                "SELECT \(PostgresFarmStore.tenantColumns) FROM tenants WHERE name = $1 FOR NO KEY UPDATE", [.text(name)]
            ).first
            guard let former = try row?.tenant() else { throw FarmError(.notFound, "there is no tenant '\(name)'") }
            let rows = try await transaction.query(
                """
                UPDATE tenants SET weight = coalesce($2::bigint, weight), priority_cap = coalesce($3::bigint, priority_cap),
                  source_addresses = coalesce($4::text[], source_addresses),
                  max_open_exports = nullif(coalesce($5::bigint, max_open_exports), 0),
                  max_asset_bytes = nullif(coalesce($6::bigint, max_asset_bytes), 0),
                  max_open_jobs = nullif(coalesce($7::bigint, max_open_jobs), 0)
                WHERE id = $1 RETURNING \(PostgresFarmStore.tenantColumns)
                """,
                [
                    .int64(former.id), .optional(change.weight) { .int64(Int64($0)) },
                    .optional(change.priorityCap) { .int64(Int64($0)) }, .optional(change.sourceAddresses) { .textArray($0) },
                    .optional(change.maxOpenExports) { .int64(Int64($0)) }, .optional(change.maxAssetBytes) { .int64($0) },
                    .optional(change.maxOpenJobs) { .int64(Int64($0)) },
                ])
            guard let changed = try rows.first?.tenant() else {
                throw FarmError(.internalError, "tenant '\(name)' is gone")
            }
            let lowered = try await transaction.lowerPriorities(from: former, to: changed)
            // The leader knows the lower priorities before the lower cap, so that none of the exports is urgent meanwhile.
            _ = try await transaction.pipeline([
                PostgresFarmStore.announcing(lowered),
                PostgresFarmStore.announcing(lowered.map { WorkNotice.export($0) } + [WorkNotice.settings]),
            ])
            return changed
        }
    }

    package func tenants() async throws -> [Tenant] {
        try await query("SELECT \(PostgresFarmStore.tenantColumns) FROM tenants ORDER BY name").map { try $0.tenant() }
    }

    package func createToken(
        _ name: String, tenant: String, scopes: [Scope], hash: String, lifetime: Int?
    ) async throws -> Token {
        let rows = try await write(
            """
            WITH made AS (
              INSERT INTO tokens (tenant_id, name, hash, scopes, expires_at)
              SELECT id, $1, $3, $4::text[], now() + $5::bigint * interval '1 second' FROM tenants WHERE name = $2 RETURNING *)
            SELECT \(PostgresFarmStore.tokenColumns(of: "made")) FROM made JOIN tenants ON tenants.id = tenant_id
            """,
            [
                .text(name), .text(tenant), .text(hash), .textArray(scopes.map(\.rawValue)),
                .optional(lifetime) { .int64(Int64($0)) },
            ]
        ).rows
        guard let row = rows.first else { throw FarmError(.notFound, "there is no tenant '\(tenant)'") }
        return try token(row)
    }

    package func rotateToken(_ id: Int64, hash: String, grace: Int) async throws -> Token {
        try await transaction { transaction in
            let isValid = try await transaction.query(
                """
                SELECT revoked_at IS NULL AND coalesce(expires_at > now(), true) AS valid FROM tokens WHERE id = $1 FOR UPDATE
                """, [.int64(id)]
            ).first?.get("valid", as: Bool.self)
            guard let isValid else { throw FarmError.noToken(id) }
            guard isValid else { throw FarmError.notValid(id) }
            let rows = try await transaction.query(
                """
                WITH made AS (
                  INSERT INTO tokens (tenant_id, name, hash, scopes, expires_at)
                  SELECT tenant_id, name, $2, scopes, now() + (expires_at - created_at) FROM tokens WHERE id = $1 RETURNING *)
                SELECT \(PostgresFarmStore.tokenColumns(of: "made")) FROM made JOIN tenants ON tenants.id = tenant_id
                """, [.int64(id), .text(hash)])
            try await transaction.execute(
                """
                UPDATE tokens SET expires_at = least(expires_at, now() + $2::bigint * interval '1 second') WHERE id = $1
                """, [.int64(id), .int64(Int64(grace))])
            guard let row = rows.first else { throw FarmError(.internalError, "token \(id) is gone") }
            return try self.token(row)
        }
    }

    package func tokens() async throws -> [Token] {
        try await query(
            """
            SELECT \(PostgresFarmStore.tokenColumns(of: "tokens")) FROM tokens JOIN tenants ON tenants.id = tenant_id
            ORDER BY tokens.id
            """
        ).map(token)
    }

    /// The columns that `token` reads.
    private static func tokenColumns(of table: String) -> String {
        ["id", "name", "scopes", "created_at", "revoked_at", "expires_at", "last_used_at"].map { "\(table).\($0)" }
            .joined(separator: ", ") + ", tenants.name AS tenant"
    }

    private func token(_ row: PostgresRow) throws -> Token {
        Token(
            id: try row.get("id"), tenant: try row.get("tenant"), name: try row.get("name"),
            scopes: try row.get("scopes", as: [String].self).compactMap(Scope.init), createdAt: try row.get("created_at"),
            revokedAt: try row.get("revoked_at"), expiresAt: try row.get("expires_at"),
            lastUsedAt: try row.get("last_used_at"))
    }

    package func revokeToken(_ id: Int64) async throws -> Bool {
        try await execute("UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1", [.int64(id)]) > 0
    }

    package func principal(tokenHash: String) async throws -> Principal? {
        let rows = try await query(
            """
            SELECT id, tenant_id, scopes, coalesce(last_used_at < now() - interval '1 minute', true) AS unnoted
            FROM tokens WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
            """, [.text(tokenHash)])
        guard let row = rows.first else { return nil }
        if try row.get("unnoted", as: Bool.self) {
            // One of several requests that come together notes it, and none waits for it.
            try await execute(
                """
                UPDATE tokens SET last_used_at = now() WHERE id = (
                  SELECT id FROM tokens WHERE id = $1 AND coalesce(last_used_at < now() - interval '1 minute', true)
                  FOR UPDATE SKIP LOCKED)
                """, [.int64(try row.get("id"))])
        }
        return Principal(
            token: try row.get("id"), tenant: try row.get("tenant_id"),
            scopes: Set(try row.get("scopes", as: [String].self).compactMap(Scope.init)))
    }
}

extension PostgresTransaction {
    /// Lowers the priorities that a tenant has given by its former cap to its new one (`PriorityCap`).
    /// - Returns: the exports whose priorities were lowered.
    fileprivate func lowerPriorities(from former: Tenant, to changed: Tenant) async throws -> [ExportID] {
        guard changed.priorityCap < former.priorityCap else { return [] }
        // Exports are locked in the order of their ids, as by everybody.
        return try await query(
            """
            UPDATE exports SET priority = $2 WHERE id IN (
              SELECT id FROM exports WHERE tenant_id = $1 AND state = ANY($4) AND priority > $2 AND priority <= $3
              ORDER BY id FOR NO KEY UPDATE)
            RETURNING id
            """,
            [
                .int64(changed.id), .int64(Int64(changed.priorityCap)), .int64(Int64(former.priorityCap)),
                .textArray(PriorityCap.openStates.map(\.rawValue)),
            ]
        ).map { try $0.exportID("id") }.sorted()
    }
}

extension PostgresRow {
    fileprivate func tenant() throws -> Tenant {
        Tenant(
            id: try get("id"), name: try get("name"), weight: try get("weight"), priorityCap: try get("priority_cap"),
            sourceAddresses: try get("source_addresses", as: [String].self), maxOpenExports: try get("max_open_exports"),
            maxOpenJobs: try get("max_open_jobs"), maxAssetBytes: try get("max_asset_bytes"), createdAt: try get("created_at"))
    }
}

extension FarmError {
    static func noToken(_ id: Int64) -> FarmError { FarmError(.notFound, "there is no token \(id)") }

    static func notValid(_ id: Int64) -> FarmError {
        FarmError(.conflict, "token \(id) has expired or has been revoked, so it cannot be replaced; create a new one")
    }
}
