import ContentHashing
import Coordinator
import FarmAPI
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tenants and tokens; all of it is the operator's.
struct AdministrationRoutes {
    let store: any TenantStore

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.get("tenants", use: tenants)
        v1.post("tenants", use: createTenant)
        v1.get("tokens", use: tokens)
        v1.post("tokens", use: createToken)
        v1.delete("tokens/:id", use: revokeToken)
    }

    @Sendable private func tenants(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        _ = try context.caller(.admin)
        return try .json(Listing(try await store.tenants(), at: Date()))
    }

    @Sendable private func createTenant(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        _ = try context.caller(.admin)
        let wanted = try await request.body(NewTenant.self, context)
        try TextCheck.tag(wanted.name, "tenant")
        let weight = wanted.weight ?? 1
        guard (1...1000).contains(weight) else {
            throw RequestFault(.badRequest, "a tenant's weight is 1...1000, not \(weight)")
        }
        return try .json(try await store.createTenant(wanted.name, weight: weight), status: .created)
    }

    @Sendable private func tokens(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        _ = try context.caller(.admin)
        return try .json(Listing(try await store.tokens(), at: Date()))
    }

    @Sendable private func createToken(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        _ = try context.caller(.admin)
        let wanted = try await request.body(NewToken.self, context)
        try TextCheck.name(wanted.name, "a token's name")
        guard !wanted.scopes.isEmpty, Set(wanted.scopes).count == wanted.scopes.count else {
            throw RequestFault(.badRequest, "a token has one or more of the scopes submit, read, admin, each once")
        }
        let secret = TokenSecret.make()
        let token = try await store.createToken(
            wanted.name, tenant: wanted.tenant, scopes: wanted.scopes, hash: TokenSecret.hash(secret))
        return try .json(IssuedToken(token, secret: secret), status: .created, headers: [.cacheControl: "no-store"])
    }

    @Sendable private func revokeToken(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        _ = try context.caller(.admin)
        let id = try context.number("token")
        guard try await store.revokeToken(id) else { throw RequestFault(.notFound, "there is no token \(id)") }
        return Response(status: .noContent)
    }
}

/// A token's secret: `spool_` and 256 random bits.
public enum TokenSecret {
    public static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in random.next() }
        return "spool_" + words.map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }.joined()
    }

    /// What is kept of it.
    public static func hash(_ secret: String) -> String { ContentHash.of(secret.utf8) }
}
