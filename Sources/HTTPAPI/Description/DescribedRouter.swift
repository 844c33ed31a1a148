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

    private let keyed: KeyedRequests
    private let adminLog: AdminLog
    private let open: Router<FarmRequestContext>
    private let authenticated: RouterGroup<FarmRequestContext>
    /// Everything that has been registered, in that order.
    private(set) var routes: [RouteDescription] = []

    /// - Parameters:
    ///   - authentication: runs before each route that needs a token.
    ///   - keyed: carries out a POST with an idempotency key once, where the route does not do so itself.
    ///   - adminLog: notes what operators change.
    init(
        _ router: Router<FarmRequestContext>, authentication: BearerAuthentication, keyed: KeyedRequests, adminLog: AdminLog
    ) {
        self.keyed = keyed
        self.adminLog = adminLog
        open = router
        authenticated = router.group().add(middleware: authentication)
    }

    /// Registers a route that needs a token. Its description must name a scope.
    /// - Parameter head: answers HEAD; nil where the answer of a GET without its body does.
    mutating func add(_ route: RouteDescription, head: Handler? = nil, use handler: @escaping Handler) {
        precondition(!route.scopes.isEmpty, "\(route) needs a scope, or is registered as open")
        if route.method == .post, !route.headers.contains(where: { $0.name == RequestHeader.idempotencyKey.name }) {
            addKeyed(route, handler)
        } else {
            register(route, route.method, handler)
            routes.append(route)
        }
        if let head { register(route, .head, head) }
    }

    /// Registers a POST that takes an idempotency key, as every POST does.
    private mutating func addKeyed(_ route: RouteDescription, _ handler: @escaping Handler) {
        let keyed = self.keyed
        let hasJSONBody = route.body.map { $0.contentType == "application/json" } ?? true
        register(route, .post) { request, caller, context in
            try await keyed.answer(request, caller, context, hasJSONBody: hasJSONBody, handler)
        }
        var described = route
        described.headers.append(.answerKey)
        for fault in [FaultCode.badRequest, .conflict] where !described.faults.contains(fault) {
            described.faults.append(fault)
        }
        routes.append(described)
    }

    /// Registers a route that needs no token.
    mutating func addOpen(_ route: RouteDescription, use handler: @escaping OpenHandler) {
        precondition(route.scopes.isEmpty, "\(route) needs no scope, because it is open")
        open.on(RouterPath(route.path), method: route.method, use: handler)
        routes.append(route)
    }

    private func register(_ route: RouteDescription, _ method: HTTPRequest.Method, _ handler: @escaping Handler) {
        let log = adminLog.covers(route, method) ? adminLog : nil
        authenticated.on(RouterPath(route.path), method: method) { request, context in
            let caller = try context.caller(route.scopes)
            guard let log else { return try await handler(request, caller, context) }
            return try await log.noting(route, request, caller, context, handler)
        }
    }
}
