public import Coordinator

/// A body whose fields are all known: one that has others is refused, so that a slip of the pen is not overlooked.
public protocol StrictBody: Codable, Sendable {
    static var fields: Set<String> { get }
}

/// Asks for a tenant.
public struct NewTenant: StrictBody, Hashable {
    public var name: String
    /// Share of the slots, relative to other tenants'; 1...1000, 1 when left out.
    public var weight: Int?

    public init(name: String, weight: Int? = nil) {
        self.name = name
        self.weight = weight
    }

    public static let fields: Set<String> = ["name", "weight"]
}

/// Asks for a token.
public struct NewToken: StrictBody, Hashable {
    /// The tenant's name.
    public var tenant: String
    /// What it is for, to recognise it by.
    public var name: String
    public var scopes: [Scope]

    public init(tenant: String, name: String, scopes: [Scope]) {
        self.tenant = tenant
        self.name = name
        self.scopes = scopes
    }

    public static let fields: Set<String> = ["tenant", "name", "scopes"]
}

/// A token just made. The secret is shown this once and kept nowhere.
public struct IssuedToken: Hashable, Sendable, Codable {
    public var token: Token
    public var secret: String

    public init(_ token: Token, secret: String) {
        self.token = token
        self.secret = secret
    }
}
