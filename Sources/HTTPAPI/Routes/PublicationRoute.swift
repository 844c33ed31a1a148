import Coordinator
import FarmAPI
import Hummingbird

/// Sends the film of an export to its destination again.
struct PublicationRoute {
    let store: any ExportStore & PublicationStore

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .post, "/v1/exports/:id/publish", "publishExport",
                "Sends the film to the destination that the export names ([destinations.md](destinations.md)) again, or now where "
                    + "that is pending.",
                scopes: [.submit], parameters: [.export], answers: [.json(Export.self, "the export", status: 202)],
                faults: [.notFound, .conflict]), use: publish)
    }

    @Sendable private func publish(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
        guard try await store.republish(id, tenant: caller.visibleTenant) else {
            let reason =
                export.filmRemovedAt != nil
                ? "it was removed; rerun the export to have it again"
                : export.state == .completed
                    ? "it names no destination; submit it again with the setting 'destination'"
                    : "it is \(export.state.rawValue)"
            throw RequestFault(.conflict, "the export's film cannot be sent: \(reason)")
        }
        return try .json(try await store.export(id, tenant: caller.visibleTenant) ?? export, status: .accepted)
    }
}
