package import FoundationEssentials

/// A tenant: no other tenant sees its drafts, assets, exports and artifacts.
package struct Tenant: Hashable, Sendable, Codable {
    package var id: Int64
    package var name: String
    /// Share of the slots, relative to other tenants that have work; 1...1000.
    package var weight: Int
    package var createdAt: Date

    package init(id: Int64, name: String, weight: Int, createdAt: Date) {
        self.id = id
        self.name = name
        self.weight = weight
        self.createdAt = createdAt
    }
}

/// What a token allows. `admin` is the operator's scope: it sees and changes everything, of all tenants.
package enum Scope: String, CaseIterable, Hashable, Sendable, Codable { case submit, read, admin }

/// A record of an API token. The secret is not stored, only its sha256.
package struct Token: Hashable, Sendable, Codable {
    package var id: Int64
    package var tenant: String
    package var name: String
    package var scopes: [Scope]
    package var createdAt: Date
    package var revokedAt: Date?

    package init(id: Int64, tenant: String, name: String, scopes: [Scope], createdAt: Date, revokedAt: Date?) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

/// The tenant and the scopes that a valid token stands for.
package struct Principal: Hashable, Sendable {
    package var tenant: Int64
    package var scopes: Set<Scope>

    package init(tenant: Int64, scopes: Set<Scope>) {
        self.tenant = tenant
        self.scopes = scopes
    }
}
