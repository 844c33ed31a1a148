import FarmAPI
import HTTPTypes
import Hummingbird

/// Registers routes together with their descriptions. A route that needs a token is called only with a caller whose
/// token has one of the described scopes, so that a description cannot promise less or more than is enforced.
struct DescribedRouter {
    /// A route that needs a token.
    typealias Handler = @Sendable (Request, Caller, FarmRequestContext) async throws -> Response
    /// A route that anybody may call.
    typealias OpenHandler = @Sendable (Request, FarmRequestContext) async throws -> Response

    private let open: Router<FarmRequestContext>
    private let authenticated: RouterGroup<FarmRequestContext>
    /// Everything that has been registered, in that order.
    private(set) var routes: [RouteDescription] = []

    /// - Parameter authentication: runs before each route that needs a token.
    init(_ router: Router<FarmRequestContext>, authentication: BearerAuthentication) {
        open = router
        authenticated = router.group().add(middleware: authentication)
    }

    /// Registers a route that needs a token. Its description must name a scope.
    /// - Parameter head: answers HEAD; nil where the answer of a GET without its body does.
    mutating func add(_ route: RouteDescription, head: Handler? = nil, use handler: @escaping Handler) {
        precondition(!route.scopes.isEmpty, "\(route) needs a scope, or is registered as open")
        register(route, route.method, handler)
        if let head { register(route, .head, head) }
        routes.append(route)
    }

    /// Registers a route that needs no token.
    mutating func addOpen(_ route: RouteDescription, use handler: @escaping OpenHandler) {
        precondition(route.scopes.isEmpty, "\(route) needs no scope, because it is open")
        open.on(RouterPath(route.path), method: route.method, use: handler)
        routes.append(route)
    }

    private func register(_ route: RouteDescription, _ method: HTTPRequest.Method, _ handler: @escaping Handler) {
        authenticated.on(RouterPath(route.path), method: method) { request, context in
            try await handler(request, try context.caller(route.scopes), context)
        }
    }
}
