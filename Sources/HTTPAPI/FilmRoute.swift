import Coordinator
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird

/// A finished film as a file, whole or in part.
struct FilmRoute {
    let store: any ExportStore
    let films: any FilmFiles

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.get("exports/:id/film", use: film)
        v1.head("exports/:id/film", use: film)
    }

    @Sendable private func film(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.sees) else {
            throw RequestFault(.notFound, "there is no export \(id)")
        }
        guard export.state == .completed, let key = export.filmKey else {
            throw RequestFault(.conflict, "the export has no film: it is \(export.state.rawValue)")
        }
        guard let path = try await films.film(key, tenant: export.tenant), let file = try SentFile(path, tag: key.text) else {
            // No export relies on it any more: the next one that wants it makes it again.
            try await store.forget([key], tenant: export.tenant)
            throw RequestFault(.notFound, "the film is no longer in the farm's storage; rerun the export to have it again")
        }
        return try await file.response(to: request, "the film", context)
    }
}
