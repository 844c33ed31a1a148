import Coordinator
import FarmAPI
package import Hummingbird

/// What a route knows about a request besides the request itself, above all whose token it has.
package struct FarmRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Set by `RequestIdentity`.
    var requestID: String?
    /// Set by `BearerAuthentication`.
    var principal: Principal?
    /// The sha256 of the token, set with the principal.
    var tokenHash: String?
    /// The memory for the request's body, set with the principal.
    var bodyMemory: BodyMemory?
    /// The session of a page of the dashboard; nil on all other routes.
    var session: DashboardSession?
    /// The form that a page of the dashboard sent, once its key is checked.
    var form: NamedTexts?
    /// The client's address as limits count it; nil when the request did not come over a network.
    let address: String?

    package init(source: Source) {
        address = source.channel.remoteAddress?.countedAddress
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// The caller, if the token has any of these scopes.
    /// - Throws: `RequestFault` `unauthorized`, or `forbidden` with the missing scope's name.
    func caller(_ scopes: [Scope]) throws -> Caller {
        guard let principal else { throw RequestFault(.unauthorized, "a token is needed") }
        guard principal.scopes.contains(.admin) || scopes.contains(where: principal.scopes.contains) else {
            let names = scopes.map { "'\($0.rawValue)'" }.joined(separator: " or ")
            throw RequestFault(.forbidden, "this token lacks the scope \(names)")
        }
        return Caller(tenant: principal.tenant, isOperator: principal.scopes.contains(.admin))
    }
}
