import Coordinator
import Dashboard
import FarmAPI
import HTTPTypes
import Hummingbird
import FoundationEssentials

/// Tenants and tokens, for operators.
extension DashboardRoutes {
    func addAdministration(to pages: DashboardPages) {
        pages.get("/ui/tenants") { asked in
            let cursor = try asked.query("cursor")
            let tenants = try await asked.routes.get(
                Listing<Tenant>.self, "tenants", query: [("limit", "100"), ("cursor", cursor)])
            return asked.answer(
                TenantsPage(
                    viewer: asked.viewer, tenants: tenants.items, cursor: cursor, next: tenants.next, notice: try asked.notice()))
        }
        pages.post("/ui/tenants") { asked in
            let form = try asked.form()
            try await asked.routes.change(
                .post, "tenants", once: try asked.once(),
                body: NewTenant(
                    name: form["name"] ?? "", weight: try form.integer("weight"), priorityCap: try form.integer("priorityCap")))
            return asked.done(.tenantCreated, "ui", "tenants")
        }
        pages.post("/ui/tenants/:name") { asked in
            let form = try asked.form()
            try await asked.routes.change(
                .patch, "tenants", try asked.part("name"),
                body: TenantChange(
                    weight: try form.integer("weight"), priorityCap: try form.integer("priorityCap"),
                    maxOpenExports: try form.integer("maxOpenExports"), maxOpenJobs: try form.integer("maxOpenJobs"),
                    maxAssetBytes: try form.integer("maxAssetBytes", Int64.self)))
            return asked.done(.tenantChanged, "ui", "tenants")
        }
        pages.get("/ui/tokens") { asked in try await tokens(asked) }
        pages.post("/ui/tokens", use: createToken)
        pages.post("/ui/tokens/:id/rotate") { asked in
            let answer = try await asked.routes.change(
                .post, "tokens", try asked.part("id"), "rotate", once: try asked.once(), body: TokenRotation(grace: nil))
            return try await tokens(asked, issued: try FarmJSON.decode(IssuedToken.self, from: answer))
        }
        pages.post("/ui/tokens/:id/revoke") { asked in
            try await asked.routes.change(.delete, "tokens", try asked.part("id"))
            return asked.done(.revoked, "ui", "tokens")
        }
    }

    private func createToken(_ asked: DashboardRequest) async throws -> Response {
        let form = try asked.form()
        let scopes = try form.values("scope").map { text in
            guard let scope = Scope(rawValue: text) else {
                let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw RequestFault(.badRequest, "there is no scope '\(text.prefix(40))'; there are \(known)")
            }
            return scope
        }
        let days = try form.integer("days", Int.self)
        guard days.map({ (1...3650).contains($0) }) ?? true else {
            throw RequestFault(.badRequest, "a token is valid for 1...3650 days, or until it is revoked")
        }
        let answer = try await asked.routes.change(
            .post, "tokens", once: try asked.once(),
            body: NewToken(
                tenant: form["tenant"] ?? "", name: form["name"] ?? "", scopes: scopes, expiresIn: days.map { $0 * 86_400 }))
        return try await tokens(asked, issued: try FarmJSON.decode(IssuedToken.self, from: answer))
    }

    /// - Parameter issued: a token whose secret the page shows, this once.
    private func tokens(_ asked: DashboardRequest, issued: IssuedToken? = nil) async throws -> Response {
        let cursor = issued == nil ? try asked.query("cursor") : nil
        async let tenants = asked.routes.get(Listing<Tenant>.self, "tenants", query: [("limit", "1000")])
        let tokens = try await asked.routes.get(
            Listing<Token>.self, "tokens", query: [("limit", "100"), ("cursor", cursor)])
        return asked.answer(
            TokensPage(
                viewer: asked.viewer, tokens: tokens.items, tenants: try await tenants.items.map(\.name),
                own: asked.context.principal?.token ?? 0, cursor: cursor, next: tokens.next,
                notice: issued == nil ? try asked.notice() : nil, issued: issued))
    }
}
