#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Somebody whose drafts, assets, exports and artifacts nobody else sees.
public struct Tenant: Hashable, Sendable, Codable {
    public var id: Int64
    public var name: String
    /// Share of the slots, relative to other tenants that have work; 1...1000.
    public var weight: Int
    public var createdAt: Date

    public init(id: Int64, name: String, weight: Int, createdAt: Date) {
        self.id = id
        self.name = name
        self.weight = weight
        self.createdAt = createdAt
    }
}

/// What a token allows. `admin` is the operator's: it sees and changes everything, of all tenants.
public enum Scope: String, CaseIterable, Hashable, Sendable, Codable { case submit, read, admin }

/// A token as it is kept: not the secret, only its sha256.
public struct Token: Hashable, Sendable, Codable {
    public var id: Int64
    public var tenant: String
    public var name: String
    public var scopes: [Scope]
    public var createdAt: Date
    public var revokedAt: Date?

    public init(id: Int64, tenant: String, name: String, scopes: [Scope], createdAt: Date, revokedAt: Date?) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

/// Who is asking: what a valid token stands for.
public struct Principal: Hashable, Sendable {
    public var tenant: Int64
    public var scopes: Set<Scope>

    public init(tenant: Int64, scopes: Set<Scope>) {
        self.tenant = tenant
        self.scopes = scopes
    }
}
