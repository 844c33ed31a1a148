import Coordinator
import FarmAPI
import Hummingbird
import FoundationEssentials

/// Lists what the farm has learned of the times that jobs take. It was learned from all tenants' jobs, so only the
/// operator may see it.
struct CostModelRoutes {
    let store: any CostModelStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/cost-models", "listCostModels",
                "Lists what was learned of the times that jobs take, by the class of the machine and the class of the job "
                    + "([cost-model.md](cost-model.md)).", scopes: [.admin],
                answers: [.json(Listing<CostModelReport>.self, "a listing of cost models")], faults: [.badRequest]), use: list)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        _ = try request.query()
        let models = try await store.costModels().map { model in
            CostModelReport(machine: model.machine, costClass: model.costClass, fit: model.fit, updatedAt: model.updatedAt)
        }
        return try .json(Listing(models, at: Date()))
    }
}
