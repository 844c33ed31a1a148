package import FarmAPI
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func createTenant(_ name: String, weight: Int) async throws -> Tenant {
        let rows = try await write(
            """
            INSERT INTO tenants (name, weight) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING
            RETURNING id, name, weight, created_at
            """, [.text(name), .int64(Int64(weight))]
        ).rows
        guard let row = rows.first else { throw FarmError(.conflict, "there is a tenant '\(name)' already") }
        _ = try await query("SELECT pg_notify('\(PostgresFarmStore.workChannel)', $1)", [.text(WorkNotice.settings.payload)])
        return try tenant(row)
    }

    package func tenants() async throws -> [Tenant] {
        try await query("SELECT id, name, weight, created_at FROM tenants ORDER BY name").map(tenant)
    }

    private func tenant(_ row: PostgresRow) throws -> Tenant {
        Tenant(
            id: try row.get("id"), name: try row.get("name"), weight: try row.get("weight"), createdAt: try row.get("created_at"))
    }

    package func createToken(_ name: String, tenant: String, scopes: [Scope], hash: String) async throws -> Token {
        let rows = try await write(
            """
            WITH made AS (
              INSERT INTO tokens (tenant_id, name, hash, scopes) SELECT id, $1, $3, $4::text[] FROM tenants WHERE name = $2
              RETURNING id, tenant_id, name, scopes, created_at, revoked_at)
            SELECT made.*, tenants.name AS tenant FROM made JOIN tenants ON tenants.id = tenant_id
            """, [.text(name), .text(tenant), .text(hash), .textArray(scopes.map(\.rawValue))]
        ).rows
        guard let row = rows.first else { throw FarmError(.notFound, "there is no tenant '\(tenant)'") }
        return try token(row)
    }

    package func tokens() async throws -> [Token] {
        try await query(
            """
            SELECT tokens.id, tenants.name AS tenant, tokens.name, scopes, tokens.created_at, revoked_at
            FROM tokens JOIN tenants ON tenants.id = tenant_id ORDER BY tokens.id
            """
        ).map(token)
    }

    private func token(_ row: PostgresRow) throws -> Token {
        Token(
            id: try row.get("id"), tenant: try row.get("tenant"), name: try row.get("name"),
            scopes: try row.get("scopes", as: [String].self).compactMap(Scope.init), createdAt: try row.get("created_at"),
            revokedAt: try row.get("revoked_at"))
    }

    package func revokeToken(_ id: Int64) async throws -> Bool {
        try await execute("UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1", [.int64(id)]) > 0
    }

    package func principal(tokenHash: String) async throws -> Principal? {
        let rows = try await query(
            "SELECT tenant_id, scopes FROM tokens WHERE hash = $1 AND revoked_at IS NULL", [.text(tokenHash)])
        return try rows.first.map { row in
            Principal(
                tenant: try row.get("tenant_id"),
                scopes: Set(try row.get("scopes", as: [String].self).compactMap(Scope.init)))
        }
    }
}
