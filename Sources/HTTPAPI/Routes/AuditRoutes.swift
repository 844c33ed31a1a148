import Coordinator
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Checks what is true of a farm at all times.
struct AuditRoutes {
    let audit: FarmAudit

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/audit", "audit",
                "Checks the farm's rules ([farm.md](farm.md#audit)): what the database and the queue hold, and what the "
                    + "leader found wrong within a day. What differs between the two is looked at again after three "
                    + "seconds.", scopes: [.admin],
                answers: [.json(AuditReport.self, "an audit report")], faults: [.badRequest]), use: report)
    }

    @Sendable private func report(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        _ = try request.query()
        return try .json(try await audit.run(at: Date()))
    }
}
