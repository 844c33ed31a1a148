import Coordinator
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Creates, lists and changes tenants, and creates, lists, replaces and revokes tokens. Only the operator may use these routes.
struct AdministrationRoutes {
    let store: any TenantStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/tenants", "listTenants", "Lists the tenants by name.", scopes: [.admin], query: QueryParameter.page,
                answers: [.json(Listing<Tenant>.self, "a listing of tenants")], faults: [.badRequest]),
            use: tenants)
        router.add(
            RouteDescription(
                .post, "/v1/tenants", "createTenant", "Creates a tenant.", scopes: [.admin],
                body: .json(
                    NewTenant.self, "the tenant",
                    [
                        .init(
                            "name", "1...63 of `a-z`, `0-9` and `-`; the first is not `-`",
                            .string(pattern: "^[a-z0-9][a-z0-9-]{0,62}$")),
                        .init("weight", "1...1000, by default 1: its share of the farm, relative to others'", .integer(1...1000)),
                        .init(
                            "priorityCap", "-100...100, by default 99: the highest priority that it may give by itself",
                            .integer(-100...100)),
                    ]),
                answers: [.json(Tenant.self, "the tenant", status: 201)], faults: [.badRequest, .conflict, .tooLarge]),
            use: createTenant)
        router.add(
            RouteDescription(
                .patch, "/v1/tenants/:name", "changeTenant",
                "Changes a tenant, at once. A lower cap lowers the priorities that the tenant has given to exports that are "
                    + "not over or have failed; a priority above the former cap is an operator's, and stays.",
                scopes: [.admin], parameters: [.tenant],
                body: .json(
                    TenantChange.self, "what changes",
                    [
                        .init("weight", "1...1000: its share of the farm, relative to others'", .integer(1...1000)),
                        .init(
                            "priorityCap", "-100...100: the highest priority that it may give by itself", .integer(-100...100)),
                        .init(
                            "sourceAddresses",
                            "patterns of the addresses that its sources may be fetched from, such as `https://*.example.com/`; "
                                + "`[\"*\"]` for all that the farm allows"),
                        .init(
                            "maxOpenExports", "0...1000000000: how many exports it may have that are not over; 0 for no limit",
                            .integer(AdministrationRoutes.quotas)),
                        .init(
                            "maxOpenJobs",
                            "0...1000000000: how many jobs of its exports may be open; further exports wait in the state "
                                + "`submitted`; 0 for no limit",
                            .integer(AdministrationRoutes.quotas)),
                        .init(
                            "maxAssetBytes", "0...1000000000000000: how many bytes of assets it may have; 0 for no limit",
                            .integer(AdministrationRoutes.byteQuotas)),
                    ]),
                answers: [.json(Tenant.self, "the tenant")], faults: [.badRequest, .notFound, .tooLarge]), use: changeTenant)
        router.add(
            RouteDescription(
                .get, "/v1/tokens", "listTokens", "Lists the tokens of all tenants, without their secrets.", scopes: [.admin],
                query: QueryParameter.page,
                answers: [.json(Listing<Token>.self, "a listing of tokens")], faults: [.badRequest]), use: tokens)
        router.add(
            RouteDescription(
                .post, "/v1/tokens", "createToken", "Creates a token. Only this answer has its secret.", scopes: [.admin],
                body: .json(
                    NewToken.self, "the token",
                    [
                        .init("tenant", "the tenant's name"),
                        .init("name", "1...255 characters: what the token is for", .string(1...255)),
                        .init(
                            "scopes", "one or more of `submit`, `read`, `admin` and `work`, each once",
                            .array(of: .choice(Scope.allCases.map(\.rawValue)), 1...Scope.allCases.count).with(
                                "uniqueItems", true)),
                        .init(
                            "expiresIn", "60...315360000: for how many seconds it is valid; by default until it is revoked",
                            .integer(Token.lifetimes)),
                    ]),
                answers: [.json(IssuedToken.self, "the token and its secret", status: 201)],
                faults: [.badRequest, .notFound, .tooLarge]),
            use: createToken)
        router.add(
            RouteDescription(
                .post, "/v1/tokens/:id/rotate", "rotateToken",
                "Creates a token with the tenant, name, scopes and lifetime of another one. The old one stays valid for a while, "
                    + "so that programs can change to the new one. Only this answer has its secret.", scopes: [.admin],
                parameters: [.token],
                body: .json(
                    TokenRotation.self, "how it is replaced",
                    [
                        .init(
                            "grace", "0...2592000: for how many seconds the old token stays valid; by default a day",
                            .integer(Token.graces))
                    ]),
                answers: [.json(IssuedToken.self, "the new token and its secret", status: 201)],
                faults: [.badRequest, .notFound, .conflict, .tooLarge]), use: rotateToken)
        router.add(
            RouteDescription(
                .delete, "/v1/tokens/:id", "revokeToken", "Revokes a token. It loses access at once.", scopes: [.admin],
                parameters: [.token],
                answers: [RouteAnswer(204, nil, "the token is revoked")], faults: [.notFound]), use: revokeToken)
    }

    @Sendable private func tenants(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        return try .json(page.listing(whole: try await store.tenants().sorted { $0.name < $1.name }, place: \.name))
    }

    @Sendable private func createTenant(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let wanted = try await request.body(NewTenant.self, context)
        try TextCheck.tag(wanted.name, "tenant")
        let (weight, cap) = (wanted.weight ?? 1, wanted.priorityCap ?? Tenant.defaultPriorityCap)
        try AdministrationRoutes.check(weight: weight, priorityCap: cap)
        let tenant = try await store.createTenant(wanted.name, weight: weight, priorityCap: cap)
        return try .json(tenant, status: .created)
    }

    @Sendable private func changeTenant(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let name = try context.parameters.require("name")
        try TextCheck.tag(name, "tenant")
        let wanted = try await request.body(TenantChange.self, context)
        try AdministrationRoutes.check(weight: wanted.weight, priorityCap: wanted.priorityCap)
        try TextCheck.addresses(wanted.sourceAddresses ?? [])
        if let quota = wanted.maxOpenExports, !AdministrationRoutes.quotas.contains(quota) {
            throw RequestFault(.badRequest, "a tenant's maxOpenExports is 0...1000000000, not \(quota)")
        }
        if let quota = wanted.maxOpenJobs, !AdministrationRoutes.quotas.contains(quota) {
            throw RequestFault(.badRequest, "a tenant's maxOpenJobs is 0...1000000000, not \(quota)")
        }
        if let quota = wanted.maxAssetBytes, !AdministrationRoutes.byteQuotas.contains(Int(quota)) {
            throw RequestFault(.badRequest, "a tenant's maxAssetBytes is 0...1000000000000000, not \(quota)")
        }
        return try .json(try await store.changeTenant(name, wanted))
    }

    private static let quotas = 0...1_000_000_000
    private static let byteQuotas = 0...1_000_000_000_000_000

    private static func check(weight: Int?, priorityCap: Int?) throws {
        if let weight, !(1...1000).contains(weight) {
            throw RequestFault(.badRequest, "a tenant's weight is 1...1000, not \(weight)")
        }
        if let priorityCap, !(-100...100).contains(priorityCap) {
            throw RequestFault(.badRequest, "a tenant's priorityCap is -100...100, not \(priorityCap)")
        }
    }

    @Sendable private func tokens(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let after = try page.number() ?? 0
        let tokens = try await store.tokens().filter { $0.id > after }.sorted { $0.id < $1.id }
        return try .json(page.listing(tokens) { "\($0.id)" })
    }

    @Sendable private func createToken(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let wanted = try await request.body(NewToken.self, context)
        try TextCheck.name(wanted.name, "a token's name")
        guard !wanted.scopes.isEmpty, Set(wanted.scopes).count == wanted.scopes.count else {
            throw RequestFault(.badRequest, "a token has one or more of the scopes submit, read, admin, work, each once")
        }
        if let lifetime = wanted.expiresIn, !Token.lifetimes.contains(lifetime) {
            throw RequestFault(.badRequest, "a token is valid for 60...315360000 seconds, not \(lifetime)")
        }
        let secret = TokenSecret.make()
        let token = try await store.createToken(
            wanted.name, tenant: wanted.tenant, scopes: wanted.scopes, hash: TokenSecret.hash(secret),
            lifetime: wanted.expiresIn)
        return try .json(IssuedToken(token, secret: secret), status: .created, headers: [.cacheControl: "no-store"])
    }

    @Sendable private func rotateToken(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let id = try context.number("token")
        let grace = try await request.body(TokenRotation.self, context).grace ?? Token.defaultGrace
        guard Token.graces.contains(grace) else {
            throw RequestFault(.badRequest, "a replaced token stays valid for 0...2592000 seconds, not \(grace)")
        }
        let secret = TokenSecret.make()
        let token = try await store.rotateToken(id, hash: TokenSecret.hash(secret), grace: grace)
        return try .json(IssuedToken(token, secret: secret), status: .created, headers: [.cacheControl: "no-store"])
    }

    @Sendable private func revokeToken(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let id = try context.number("token")
        guard try await store.revokeToken(id) else { throw RequestFault(.notFound, "there is no token \(id)") }
        return Response(status: .noContent)
    }
}
