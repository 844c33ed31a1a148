import BlockingWork
import ContentHashing
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
                .put, "/v1/drafts/:name", "putDraft",
                "Stores a draft in the library as a new revision. The newest revision is not stored again. Merge fields may be open "
                    + "until the draft is submitted; everything else is checked now.",
                scopes: [.submit], parameters: [.draft], headers: DraftRoutes.conditions,
                body: .json("the draft document ([draft.md](draft.md))"),
                answers: [.json(DraftRevision.self, "the revision", headers: [.eTag])],
                faults: [.badRequest, .preconditionFailed, .tooLarge, .invalid]), use: put)
        router.add(
            RouteDescription(
                .get, "/v1/drafts/:name", "getDraft", "Sends a draft document of the library as it was stored.", scopes: [.read],
                parameters: [.draft],
                headers: [RequestHeader("If-None-Match", "304 if the document has one of these `ETag`s")],
                query: [
                    QueryParameter(
                        "revision", "1...2147483647", default: "the newest", "which revision", .integer(1...Int(Int32.max)))
                ],
                answers: [
                    .document(
                        "the draft document, with its revision in the header `Draft-Revision`", headers: [.draftRevision, .eTag]),
                    RouteAnswer(304, nil, "`If-None-Match` names this document", headers: [.eTag]),
                ],
                faults: [.badRequest, .notFound]), use: get)
        router.add(
            RouteDescription(
                .get, "/v1/drafts/:name/revisions", "listDraftRevisions",
                "Lists the revisions of a draft of the library, the newest first, with the exports that were made of each.",
                scopes: [.read], parameters: [.draft], query: QueryParameter.page,
                answers: [
                    .json(
                        Listing<DraftRevisionReport>.self,
                        "a listing of revisions; each names its newest \(DraftRevisionReport.namedExports) exports")
                ],
                faults: [.badRequest, .notFound]), use: revisions)
        router.add(
            RouteDescription(
                .delete, "/v1/drafts/:name", "removeDraft",
                "Takes a draft with all its revisions out of the library. Exports that were made from it are not touched.",
                scopes: [.submit], parameters: [.draft], headers: [DraftRoutes.conditions[0]],
                answers: [RouteAnswer(204, nil, "the draft is removed")], faults: [.badRequest, .notFound, .preconditionFailed]),
            use: remove)
        router.add(
            RouteDescription(
                .get, "/v1/drafts", "listDrafts", "Lists the tenant's drafts by name, each with its newest revision.",
                scopes: [.read],
                query: QueryParameter.page,
                answers: [.json(Listing<DraftRevision>.self, "a listing of revisions")], faults: [.badRequest]), use: list)
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
        let revision = try await store.putDraft(
            name, document: document, tenant: caller.tenant, if: DraftRoutes.condition(request, name))
        return try .json(revision, headers: [.eTag: "\"\(DraftRoutes.tag(document))\""])
    }

    @Sendable private func remove(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        try TextCheck.draftName(name)
        try await store.removeDraft(name, tenant: caller.tenant, if: DraftRoutes.condition(request, name))
        return Response(status: .noContent)
    }

    /// The headers by which a client says what it believes the newest revision to be.
    private static let conditions = [
        RequestHeader("If-Match", "412 unless the newest revision has one of these `ETag`s"),
        RequestHeader("If-None-Match", "412 if the newest revision has one of these `ETag`s; `*` if there is any"),
    ]

    /// Identifies a document: other bytes have another tag.
    private static func tag(_ document: String) -> String { ContentHash.of(document.utf8) }

    /// Whether the newest document of a draft is what a request says (RFC 9110, section 13.2.2).
    private static func condition(_ request: Request, _ name: String) -> @Sendable (String?) throws -> Void {
        let (wanted, excluded) = (request.entityTags(.ifMatch), request.entityTags(.ifNoneMatch))
        return { document in
            guard wanted != nil || excluded != nil else { return }
            let tag = document.map(DraftRoutes.tag)
            let isWanted = wanted.map { wanted in tag.map(wanted.matchesStrongly) ?? false } ?? true
            let isExcluded = excluded.map { excluded in tag.map(excluded.matchesWeakly) ?? false } ?? false
            guard isWanted, !isExcluded else {
                throw RequestFault(
                    .preconditionFailed,
                    "the draft '\(name)' is not what the request expects: "
                        + (tag.map { "its newest revision has the ETag \"\($0)\"" } ?? "there is none"),
                    headers: tag.map { [("ETag", "\"\($0)\"")] } ?? [])
            }
        }
    }

    @Sendable private func get(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let name = try context.parameters.require("name")
        let revision = try request.query("revision").integer("revision", in: 1...Int(Int32.max))
        try TextCheck.draftName(name)
        guard let found = try await store.draft(name, revision: revision, tenant: caller.tenant) else {
            let which = revision.map { "revision \($0) of the draft" } ?? "draft"
            throw RequestFault(.notFound, "there is no \(which) '\(name)'")
        }
        let tag = DraftRoutes.tag(found.document)
        let headers: HTTPFields = [.draftRevision: "\(found.revision.revision)", .eTag: "\"\(tag)\""]
        if request.entityTags(.ifNoneMatch)?.matchesWeakly(tag) == true {
            return Response(status: .notModified, headers: headers)
        }
        return .json(Data(found.document.utf8), headers: headers)
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let drafts = try await store.drafts(tenant: caller.tenant, after: page.place, limit: page.asked)
        return try .json(page.listing(drafts, place: \.name))
    }

    @Sendable private func revisions(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let name = try context.parameters.require("name")
        let page = try Page(try request.query("limit", "cursor"))
        try TextCheck.draftName(name)
        let place = try page.number().map { Int(clamping: $0) }
        let found = try await store.draftRevisions(name, tenant: caller.tenant, before: place, limit: page.asked)
        guard !found.isEmpty else { throw RequestFault(.notFound, "there is no draft '\(name)'") }
        return try .json(page.listing(found) { "\($0.revision)" })
    }
}
