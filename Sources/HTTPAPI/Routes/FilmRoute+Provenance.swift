import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import Provenance

/// Says how a film was made, in the format of the file that `spool export --provenance` writes beside a film.
extension FilmRoute {
    func addProvenance(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id/provenance", "getProvenance",
                "Says how the film of a completed export was made: the draft, the hashes of its sources and fonts, the program, "
                    + "and the jobs with their workers. The format is that of the file beside a film "
                    + "([provenance.md](provenance.md)). 409 once the export is history, whose facts are gone, and for a picture "
                    + "that was made instead of a film.",
                scopes: [.read], parameters: [.export],
                query: [
                    QueryParameter(
                        "name", "1...255 characters without a slash",
                        "the name of the film's file, by default `film` with the suffix of its type; the files beside it have names "
                            + "that begin with it", .string(pattern: "^[^/\\u0000]{1,255}$"))
                ],
                answers: [.json(FilmProvenance.self, "the provenance")], faults: [.badRequest, .notFound, .conflict]),
            use: sendProvenance)
    }

    @Sendable private func sendProvenance(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let name = try request.query("name").values["name"]
        if let name, !(1...255).contains(name.unicodeScalars.count) || name.contains("/") {
            throw RequestFault(.badRequest, "the name of a film's file has 1...255 characters, and no slash among them")
        }
        let export = try await findComplete(context, caller)
        return .json(try await provenance.provenance(of: export, named: name).text())
    }
}
