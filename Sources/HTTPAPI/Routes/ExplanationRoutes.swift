import Coordinator
import FarmAPI
import Hummingbird

/// Explains why jobs and exports are not done yet.
struct ExplanationRoutes {
    let explanation: FarmExplanation

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id/why", "explainExport",
                "Says why an export is not done yet: which rule of the farm holds it, and what can be done about it.",
                scopes: [.read], parameters: [.export],
                answers: [.json(WaitReport.self, "the reasons, the first one first")], faults: [.notFound])
        ) { _, caller, context in
            let id = try context.exportID()
            guard let report = try await explanation.export(id, tenant: caller.visibleTenant) else {
                throw RequestFault(.notFound, "there is no export \(id.text)")
            }
            return try .json(report)
        }
        router.add(
            RouteDescription(
                .get, "/v1/jobs/:id/why", "explainJob",
                "Says why a job is not done yet: which rule of the farm holds it, and what can be done about it.",
                scopes: [.read], parameters: [.job],
                answers: [.json(WaitReport.self, "the reasons, the first one first")], faults: [.notFound])
        ) { _, caller, context in
            let id = try context.number("job")
            guard let report = try await explanation.job(id, tenant: caller.visibleTenant) else {
                throw RequestFault(.notFound, "there is no job \(id)")
            }
            return try .json(report)
        }
    }
}
