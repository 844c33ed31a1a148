import Coordinator
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Checks what is true of a farm at all times.
struct AuditRoutes {
    let store: any AuditStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/audit", "audit",
                "Checks the farm's rules ([farm.md](farm.md#audit)): what the database holds, and what the leader "
                    + "found wrong within a day.", scopes: [.admin],
                answers: [.json(AuditReport.self, "an audit report")], faults: [.badRequest]), use: audit)
    }

    @Sendable private func audit(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        _ = try request.query()
        let now = Date()
        return try .json(AuditReport(rules: AuditRule.allCases, faults: try await store.audit(at: now), at: now))
    }
}
