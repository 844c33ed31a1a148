import Coordinator
import FarmAPI
import Hummingbird

/// Does the same to many exports. What cannot be done to one of them is said beside it, and does not stop the others.
struct SelectionRoutes {
    private typealias Action = @Sendable (ExportID, Caller, FarmRequestContext) async throws -> Export

    let service: FarmService

    func add(to router: inout DescribedRouter) {
        let actions = ExportActions(service: service)
        add(
            "cancel", "cancelExports", "Cancels exports. Those that are over already stay as they are.",
            to: &router, actions.cancel)
        add(
            "retry", "retryExports", "Lets failed exports go on with the jobs that failed. Other exports stay as they are.",
            to: &router, actions.retry)
    }

    private func add(
        _ name: String, _ operation: String, _ summary: String, to router: inout DescribedRouter, _ action: @escaping Action
    ) {
        router.add(
            RouteDescription(
                .post, "/v1/exports/\(name)", operation, summary, scopes: [.submit],
                body: .json(
                    ExportSelection.self, "the exports",
                    [.init("exports", "1...\(ExportSelection.limit) ids", .array(of: ExportID.schema, 1...ExportSelection.limit))]
                ),
                answers: [
                    .json(SelectionOutcome.self, "each export's state afterwards, and why nothing was changed where nothing was")
                ],
                faults: [.badRequest, .tooLarge])
        ) { request, caller, context in
            let selection = try await request.body(ExportSelection.self, context)
            guard (1...ExportSelection.limit).contains(selection.exports.count) else {
                throw RequestFault(
                    .badRequest, "1...\(ExportSelection.limit) exports can be named, not \(selection.exports.count)")
            }
            var items: [SelectionOutcome.Item] = []
            for id in selection.exports {
                do {
                    items.append(.init(id, state: try await action(id, caller, context).state))
                } catch {
                    guard let fault = RequestFault(error), fault.code == .notFound || fault.code == .conflict else { throw error }
                    let state = try await service.store.export(id, tenant: caller.visibleTenant)?.state
                    items.append(.init(id, state: state, fault: fault.message))
                }
            }
            return try .json(SelectionOutcome(items))
        }
    }
}
