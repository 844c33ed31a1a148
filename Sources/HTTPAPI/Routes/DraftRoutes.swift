import BlockingWork
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import FoundationEssentials

/// The library of named drafts.
struct DraftRoutes {
    let store: any LibraryStore
    let limit: Int
    let work: BlockingPool

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .put, "/v1/drafts/:name",
                "Stores a draft in the library as a new revision. The newest revision is not stored again. Merge fields may be open "
                    + "until the draft is submitted; everything else is checked now.",
                scopes: [.submit], parameters: [.draft], body: .json("the draft document ([draft.md](draft.md))"),
                answers: [.json("the revision")], faults: [.badRequest, .tooLarge, .invalid]), use: put)
        router.add(
            RouteDescription(
                .get, "/v1/drafts/:name", "Sends a draft document of the library as it was stored.", scopes: [.read],
                parameters: [.draft],
                query: [QueryParameter("revision", "1...2147483647", default: "the newest", "which revision")],
                answers: [.json("the draft document, with its revision in the header `Draft-Revision`")],
                faults: [.badRequest, .notFound]), use: get)
        router.add(
            RouteDescription(
                .get, "/v1/drafts", "Lists the tenant's drafts by name, each with its newest revision.", scopes: [.read],
                answers: [.json("a listing of revisions")], faults: [.badRequest]), use: list)
    }

    /// Stores a draft. Its merge fields may be open until it is submitted; everything else is checked now.
    @Sendable private func put(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        try TextCheck.draftName(name)
        let body = try await request.bytes(upTo: limit, context)
        let document = try await work.run(lane: caller.tenant) {
            guard let document = String(validating: body, as: UTF8.self) else {
                throw RequestFault(.badRequest, "the draft is not UTF-8")
            }
            try TextCheck.noNUL(inJSON: document, "the draft")
            let faults = DraftReading(template: body).diagnostics
            guard faults.errors.isEmpty else {
                throw RequestFault(.invalid, "the draft has errors", diagnostics: faults)
            }
            return document
        }
        return try .json(try await store.putDraft(name, document: document, tenant: caller.tenant))
    }

    @Sendable private func get(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        let revision = try request.query("revision").integer("revision", in: 1...Int(Int32.max))
        try TextCheck.draftName(name)
        guard let found = try await store.draft(name, revision: revision, tenant: caller.tenant) else {
            let which = revision.map { "revision \($0) of the draft" } ?? "draft"
            throw RequestFault(.notFound, "there is no \(which) '\(name)'")
        }
        return .json(Data(found.document.utf8), headers: [.draftRevision: "\(found.revision.revision)"])
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        _ = try request.query()
        return try .json(Listing(try await store.drafts(tenant: caller.tenant), at: Date()))
    }
}
