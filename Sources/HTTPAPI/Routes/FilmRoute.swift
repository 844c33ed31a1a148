import ArtifactStore
import Coordinator
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird

/// Sends a finished film as a file, whole or in part, and removes it; sends the pictures beside it, and how it was made.
struct FilmRoute {
    let store: any ExportStore
    let films: any FilmFiles
    let provenance: FarmProvenance

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id/film", "downloadFilm",
                "Sends the film of a completed export, or the picture that it made instead.",
                scopes: [.read],
                parameters: [.export],
                headers: RequestHeader.ofFiles, answers: RouteAnswer.file("the film"),
                faults: [.notFound, .conflict, .preconditionFailed, .badRange]), head: film, use: film)
        router.add(
            RouteDescription(
                .delete, "/v1/exports/:id/film", "removeFilm",
                "Removes the film of a completed export, which stays listed. The bytes go with a later collection of garbage, "
                    + "unless another export has the same film. A film that is still to be sent to its destination stays.",
                scopes: [.submit], parameters: [.export], answers: [RouteAnswer(204, nil, "the film is removed")],
                faults: [.notFound, .conflict]), use: remove)
        addPictures(to: &router)
        addProvenance(to: &router)
    }

    @Sendable private func remove(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        try await store.removeFilm(of: try await find(context, caller).id)
        return Response(status: .noContent)
    }

    private func find(_ context: FarmRequestContext, _ caller: Caller) async throws -> Export {
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.visibleTenant) else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
        return export
    }

    @Sendable private func film(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let export = try await findComplete(context, caller)
        guard let key = export.filmKey else { throw RequestFault(.conflict, "the export has no film") }
        return try await file(key, of: export, "the film").response(to: request, "the film", context)
    }

    /// - Throws: `RequestFault` where the export is not complete, or its film was removed.
    func findComplete(_ context: FarmRequestContext, _ caller: Caller) async throws -> Export {
        let export = try await find(context, caller)
        guard export.state == .completed else {
            throw RequestFault(.conflict, "the export has no film: it is \(export.state.rawValue)")
        }
        guard export.filmRemovedAt == nil else {
            throw RequestFault(.notFound, "the film was removed; rerun the export to have it again")
        }
        return export
    }

    /// - Parameter name: what messages call the file.
    func file(_ key: ArtifactKey, of export: Export, _ name: String) async throws -> FileResponse {
        guard let path = try await films.film(key, tenant: export.tenant), let file = try FileResponse(path, tag: key.text) else {
            // Forget the artifact, so that the next export that needs this file renders it again.
            try await store.forget([key], tenant: export.tenant)
            throw RequestFault(.notFound, "\(name) is no longer in the farm's storage; rerun the export to have it again")
        }
        return file
    }
}
