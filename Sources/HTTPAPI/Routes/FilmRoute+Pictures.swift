import ContentHashing
import ExportPlan
import FarmAPI
import HTTPTypes
import Hummingbird

/// Sends the pictures beside a film: its poster, and its sprites with their index.
extension FilmRoute {
    func addPictures(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id/pictures/:name", "downloadPicture",
                "Sends a picture beside the film of a completed export, or the index of its sprites. The export's `pictures` say "
                    + "which there are: `poster.jpg`, `sprites.vtt`, `sprites-1.jpg`.", scopes: [.read],
                parameters: [.export, .picture],
                headers: RequestHeader.ofFiles, answers: RouteAnswer.file("the picture"),
                faults: [.notFound, .conflict, .preconditionFailed, .badRange]), head: picture, use: picture)
    }

    @Sendable private func picture(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let export = try await findComplete(context, caller)
        let name = try context.parameters.require("name")
        let files = export.pictures?.files() ?? []
        guard let picture = files.first(where: { $0.name == name }) else {
            let names = files.map(\.name).prefix(3).joined(separator: ", ")
            throw RequestFault(
                .notFound,
                "the export has no picture of that name; "
                    + (files.isEmpty ? "it was submitted without posterTime and spriteInterval" : "it has \(names)"))
        }
        let response =
            switch picture.content {
            case .artifact(let key): try await file(key, of: export, "the picture")
            case .text(let text): FileResponse(bytes: Array(text.utf8), tag: ContentHash.of(text.utf8))
            }
        return try await response.response(to: request, "the picture", mediaType: picture.mediaType, context)
    }
}
