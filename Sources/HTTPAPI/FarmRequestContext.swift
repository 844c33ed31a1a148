import Coordinator
import FarmAPI
public import Hummingbird

/// What a route knows of a request beside the request itself: who asks.
public struct FarmRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Set by `BearerAuthentication`.
    var principal: Principal?
    /// The sha256 of the token, set with the principal.
    var tokenHash: String?
    /// The memory for the request's body, set with the principal.
    var bodyMemory: BodyMemory?
    /// The client's address, as limits count it; nil where there is no network between.
    let address: String?

    public init(source: Source) {
        address = source.channel.remoteAddress?.countedAddress
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// Who asks, if the token allows any of these.
    /// - Throws: `RequestFault` `unauthorized`, or `forbidden` with the missing scope's name.
    func caller(_ scopes: Scope...) throws -> Caller {
        guard let principal else { throw RequestFault(.unauthorized, "a token is needed") }
        guard principal.scopes.contains(.admin) || scopes.contains(where: principal.scopes.contains) else {
            let names = scopes.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw RequestFault(.forbidden, "this token lacks the scope \(names)")
        }
        return Caller(tenant: principal.tenant, isOperator: principal.scopes.contains(.admin))
    }
}

/// Who asks, after it was found that they may.
struct Caller {
    /// Whose things they hand in.
    var tenant: Int64
    /// Sees and changes everything, of all tenants.
    var isOperator: Bool

    /// Whose things they see; nil means everybody's.
    var sees: Int64? { isOperator ? nil : tenant }
}
