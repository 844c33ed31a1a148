package import FoundationEssentials

/// A tenant: no other tenant sees its drafts, assets, exports and artifacts.
package struct Tenant: Hashable, Sendable, Codable {
    package var id: Int64
    package var name: String
    /// Share of the slots, relative to other tenants that have work; 1...1000.
    package var weight: Int
    /// The highest priority that the tenant may give, -100...100. An export above it is urgent and goes before shares; only
    /// an operator gives such a priority.
    package var priorityCap: Int
    /// The patterns of the addresses that its sources may be fetched from, beside the farm's own rule; `["*"]` for all
    /// that the farm allows.
    package var sourceAddresses: [String]
    /// How many exports it may have that are not over; nil for no limit.
    package var maxOpenExports: Int?
    /// How many jobs of its exports may be open at a time; further exports wait in the state `submitted`. nil for no limit.
    package var maxOpenJobs: Int?
    /// How many bytes of assets it may have; nil for no limit.
    package var maxAssetBytes: Int64?
    package var createdAt: Date

    /// Whether a tenant's patterns leave everything to the farm's rule.
    package static func usesAllAddresses(_ patterns: [String]) -> Bool { patterns.contains("*") }

    /// The cap of a tenant that is created without one. It leaves one step to the operator.
    package static let defaultPriorityCap = 99

    package init(
        id: Int64, name: String, weight: Int, priorityCap: Int, sourceAddresses: [String] = ["*"], maxOpenExports: Int? = nil,
        maxOpenJobs: Int? = nil, maxAssetBytes: Int64? = nil, createdAt: Date
    ) {
        self.maxOpenExports = maxOpenExports
        self.maxOpenJobs = maxOpenJobs
        self.maxAssetBytes = maxAssetBytes
        self.id = id
        self.name = name
        self.weight = weight
        self.priorityCap = priorityCap
        self.sourceAddresses = sourceAddresses
        self.createdAt = createdAt
    }
}

/// What a token allows. `admin` is the operator's scope: it sees and changes everything, of all tenants. `work` is that of
/// workers without keys of the farm's bucket: they read and store the files of all tenants, and nothing else.
package enum Scope: String, CaseIterable, Hashable, Sendable, Codable { case submit, read, admin, work }

/// A record of an API token. The secret is not stored, only its sha256.
package struct Token: Hashable, Sendable, Codable {
    package var id: Int64
    package var tenant: String
    package var name: String
    package var scopes: [Scope]
    package var createdAt: Date
    package var revokedAt: Date?
    /// When it stops being valid; nil for a token that stays valid until it is revoked.
    package var expiresAt: Date?
    /// When it was last used, noted at most once a minute; nil where it has not been used.
    package var lastUsedAt: Date?

    /// Whether requests with it are accepted.
    package func isValid(at now: Date) -> Bool { revokedAt == nil && expiresAt.map { $0 > now } ?? true }

    /// The shortest and the longest time for which a token can be valid, in seconds: a minute and ten years.
    package static let lifetimes = 60...315_360_000
    /// For how long a token that is replaced can stay valid, in seconds: up to 30 days.
    package static let graces = 0...2_592_000
    /// The same where nobody says, in seconds: a day.
    package static let defaultGrace = 86_400

    package init(
        id: Int64, tenant: String, name: String, scopes: [Scope], createdAt: Date, revokedAt: Date?, expiresAt: Date? = nil,
        lastUsedAt: Date? = nil
    ) {
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.id = id
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

/// A valid token, and the tenant and the scopes that it stands for.
package struct Principal: Hashable, Sendable {
    package var token: Int64
    package var tenant: Int64
    package var scopes: Set<Scope>

    package init(token: Int64, tenant: Int64, scopes: Set<Scope>) {
        self.token = token
        self.tenant = tenant
        self.scopes = scopes
    }
}
