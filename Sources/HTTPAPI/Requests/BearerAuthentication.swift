import ContentHashing
import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird

/// Finds out whose token a request has: `Authorization: Bearer <token>`, looked up by the token's sha256.
struct BearerAuthentication: RouterMiddleware {
    typealias Context = FarmRequestContext

    let tenants: any TenantStore
    let budget: TokenBudget
    /// The memory for request bodies; one slot is one byte.
    let bodies: Slots
    let observer: FarmObserver
    /// Tokens with which the farm's numbers were read lately.
    let remembered = RememberedPrincipals()
    let guesses = TokenGuesses()

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        // A page of the dashboard asks for the caller whose token it has checked (`OwnRoutes`).
        if context.principal != nil { return try await next(request, context) }
        guard let header = request.headers[.authorization] else {
            throw refusal("a token is needed: send 'Authorization: Bearer <token>'")
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw refusal("the Authorization header must be 'Bearer <token>'")
        }
        return try await admit(parts[1], request, context, next: next)
    }

    /// Lets the holder of a token pass.
    /// - Throws: `RequestFault` `unauthorized` for an unknown token, `tooManyRequests`.
    func admit(
        _ token: some StringProtocol, _ request: Request, _ context: FarmRequestContext,
        next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        let hash = ContentHash.of(token.utf8)
        try guesses.check(hash, from: context.address)
        let principal = try await principal(hash, request)
        guesses.note(principal, hash, from: context.address)
        guard let principal else {
            throw refusal("this token is unknown, has expired or has been revoked")
        }
        var context = context
        context.principal = principal
        context.tokenHash = hash
        let slot = try budget.take(hash)
        let memory = try BodyMemory(bodies, tenant: principal.tenant)
        context.bodyMemory = memory
        defer { withExtendedLifetime((slot, memory)) {} }
        var response = try await next(request, context)
        for (name, value) in budget.fields(hash) {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return response
    }

    /// Whose token it is. The farm's numbers can also be read while the database is away. It may hang, so it is not asked
    /// for the token before it has answered the observer, which does not wait for long.
    private func principal(_ hash: String, _ request: Request) async throws -> Principal? {
        guard request.uri.path == MetricsRoute.path else { return try await tenants.principal(tokenHash: hash) }
        guard await observer.databaseAnswers() else {
            if let principal = remembered.principal(of: hash) { return principal }
            throw RequestFault(
                .unavailable, "the database does not answer, and this token has not read the numbers before; try again later")
        }
        let principal = try await tenants.principal(tokenHash: hash)
        remembered.note(principal, of: hash)
        return principal
    }

    private func refusal(_ message: String) -> RequestFault {
        RequestFault(.unauthorized, message, headers: [("WWW-Authenticate", "Bearer")])
    }
}
