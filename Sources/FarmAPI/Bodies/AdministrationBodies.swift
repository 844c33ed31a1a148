/// A body with a fixed list of fields. A body with any other field is refused, so that a typing error is reported and
/// not overlooked.
package protocol StrictBody: Codable, Sendable {
    static var fields: Set<String> { get }
}

/// The body that creates a tenant.
package struct NewTenant: StrictBody, Hashable {
    package var name: String
    /// The tenant's share of the slots, relative to other tenants'; 1...1000, by default 1.
    package var weight: Int?
    /// The highest priority that the tenant may give; -100...100, by default `Tenant.defaultPriorityCap`.
    package var priorityCap: Int?

    package init(name: String, weight: Int? = nil, priorityCap: Int? = nil) {
        self.name = name
        self.weight = weight
        self.priorityCap = priorityCap
    }

    package static let fields: Set<String> = ["name", "weight", "priorityCap"]
}

/// The body that changes a tenant. What it leaves out stays as it is.
package struct TenantChange: StrictBody, Hashable {
    /// The tenant's share of the slots, relative to other tenants'; 1...1000.
    package var weight: Int?
    /// The highest priority that the tenant may give; -100...100.
    package var priorityCap: Int?
    /// The patterns of the addresses that the tenant's sources may be fetched from; `["*"]` for all that the farm allows.
    package var sourceAddresses: [String]?
    /// How many exports it may have that are not over; 0 for no limit.
    package var maxOpenExports: Int?
    /// How many jobs of its exports may be open at a time; further exports wait. 0 for no limit.
    package var maxOpenJobs: Int?
    /// How many bytes of assets it may have; 0 for no limit.
    package var maxAssetBytes: Int64?

    package init(
        weight: Int? = nil, priorityCap: Int? = nil, sourceAddresses: [String]? = nil, maxOpenExports: Int? = nil,
        maxOpenJobs: Int? = nil, maxAssetBytes: Int64? = nil
    ) {
        self.maxOpenExports = maxOpenExports
        self.maxOpenJobs = maxOpenJobs
        self.maxAssetBytes = maxAssetBytes
        self.weight = weight
        self.priorityCap = priorityCap
        self.sourceAddresses = sourceAddresses
    }

    package static let fields: Set<String> = [
        "weight", "priorityCap", "sourceAddresses", "maxOpenExports", "maxOpenJobs", "maxAssetBytes",
    ]
}

/// The body that changes an export.
package struct ExportChange: StrictBody, Hashable {
    /// The export's priority, -100...100; higher goes first.
    package var priority: Int

    package init(priority: Int) {
        self.priority = priority
    }

    package static let fields: Set<String> = ["priority"]
}

/// The body that does the same to many exports.
package struct ExportSelection: StrictBody, Hashable {
    /// 1...1000 ids.
    package var exports: [ExportID]

    package init(_ exports: [ExportID]) {
        self.exports = exports
    }

    package static let fields: Set<String> = ["exports"]
    package static let limit = 1000
}

/// The outcome for each export of a selection.
package struct SelectionOutcome: Hashable, Sendable, Codable {
    package struct Item: Hashable, Sendable, Codable {
        package var id: ExportID
        /// The export's state afterwards; nil where there is no such export.
        package var state: ExportState?
        /// Why nothing was changed; nil where something was.
        package var fault: String?

        package init(_ id: ExportID, state: ExportState?, fault: String? = nil) {
            self.id = id
            self.state = state
            self.fault = fault
        }
    }

    /// In the order of the selection.
    package var items: [Item]

    package init(_ items: [Item]) {
        self.items = items
    }
}

/// The body that creates a token.
package struct NewToken: StrictBody, Hashable {
    /// The tenant's name.
    package var tenant: String
    /// What the token is for, so that a person can recognise it.
    package var name: String
    package var scopes: [Scope]
    /// For how many seconds it is valid (`Token.lifetimes`); nil until it is revoked.
    package var expiresIn: Int?

    package init(tenant: String, name: String, scopes: [Scope], expiresIn: Int? = nil) {
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
        self.expiresIn = expiresIn
    }

    package static let fields: Set<String> = ["tenant", "name", "scopes", "expiresIn"]
}

/// How a token is replaced by a new one.
package struct TokenRotation: StrictBody, Hashable {
    /// For how many seconds the old one stays valid (`Token.graces`); nil for a day.
    package var grace: Int?

    package init(grace: Int?) {
        self.grace = grace
    }

    package static let fields: Set<String> = ["grace"]
}

/// A new token. The secret is shown only in this answer; the farm stores only its hash.
package struct IssuedToken: Hashable, Sendable, Codable {
    package var token: Token
    package var secret: String

    package init(_ token: Token, secret: String) {
        self.token = token
        self.secret = secret
    }
}
