import Coordinator
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Checks what is true of a farm at all times, and lists what operators changed.
struct AuditRoutes {
    let audit: FarmAudit
    let log: any AdminLogStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/audit", "audit",
                "Checks the farm's rules ([farm.md](farm.md#audit)): what the database and the queue hold, and what the "
                    + "leader found wrong within a day. What differs between the two is looked at again after three "
                    + "seconds.", scopes: [.admin],
                answers: [.json(AuditReport.self, "an audit report")], faults: [.badRequest]), use: report)
        router.add(
            RouteDescription(
                .get, "/v1/audit/log", "listAdminActions",
                "Lists what operators changed over the API, or tried to, the newest first: requests of routes for the scope "
                    + "`admin` alone, except those that read.", scopes: [.admin], query: QueryParameter.page,
                answers: [.json(Listing<AdminAction>.self, "a listing of actions")], faults: [.badRequest]), use: list)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        return try .json(
            page.listing(try await log.adminActions(before: try page.number(), limit: page.asked)) { "\($0.id)" })
    }

    @Sendable private func report(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        _ = try request.query()
        return try .json(try await audit.run(at: Date()))
    }
}
