import ContentHashing
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import Logging
import Telemetry
import FoundationEssentials

/// Submits, shows, lists, cancels and reruns exports.
struct ExportRoutes {
    let service: FarmService

    private var store: any FarmStore { service.store }

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .post, "/v1/exports", "submitExport", "Submits an export of a document, or of a draft in the library.",
                scopes: [.submit],
                headers: [.idempotencyKey],
                body: .json(
                    ExportSubmission.Options.self, "either `document` or `draft`, and options",
                    [
                        .init("document", "the draft document ([draft.md](draft.md)) as JSON"),
                        .init("draft", "the name of a draft in the library", PathParameter.draft.schema),
                        .init("revision", "the revision of that draft, by default the newest", .integer(1...Int(Int32.max))),
                        .init(
                            "label", "1...500 characters, a name for people; by default the draft's title or name",
                            .string(1...500)),
                        .init("parameters", "an object of texts: the values of merge fields"),
                        .init("settings", "an object of texts, numbers and booleans: the export's settings"),
                        .init(
                            "priority",
                            "-100...100, by default 0, or the tenant's cap where that is lower; higher goes first. A priority "
                                + "above the cap goes before shares, and needs the scope `admin`", .integer(-100...100)),
                        .init(
                            "pool", "only workers of this pool take the jobs; by default `default`", PathParameter.tenant.schema),
                        .init("tags", "an object of texts: keys with values by which exports are listed, 32 at most"),
                        .init("metadata", "any JSON object of at most 16384 bytes, which is given back with the export", .object),
                    ]),
                answers: [
                    .json(Export.self, "the export, with its address in `Location`", status: 201, headers: [.location]),
                    .json(Export.self, "the export that the same `Idempotency-Key` made before"),
                ],
                faults: [.badRequest, .notFound, .conflict, .tooLarge, .invalid]), use: submit)
        router.add(
            RouteDescription(
                .get, "/v1/exports", "listExports", "Lists exports, the newest first unless `order` says otherwise.",
                scopes: [.read],
                query: [
                    .choice("state", ExportState.self, "only exports in this state"),
                    QueryParameter(
                        "label", "1...500 characters", "only exports with this text in their labels, in upper or lower case",
                        .string(1...500)),
                    .choice(
                        "order", ExportOrder.self,
                        "the order, `newest` by default; `priority` is by falling priority, and then in order of acceptance"),
                ] + ExportFilter.parameters + QueryParameter.page,
                answers: [.json(Listing<Export>.self, "a listing of exports")], faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id", "getExport", "Shows an export.", scopes: [.read], parameters: [.export],
                answers: [.json(Export.self, "the export")], faults: [.notFound]), use: show)
        router.add(
            RouteDescription(
                .post, "/v1/exports/:id/cancel", "cancelExport", "Cancels an export that has not ended.", scopes: [.submit],
                parameters: [.export], answers: [.json(Export.self, "the export")], faults: [.notFound, .conflict]), use: cancel)
        router.add(
            RouteDescription(
                .patch, "/v1/exports/:id", "changeExport",
                "Gives an export another priority, at once for all jobs that no worker has.", scopes: [.submit],
                parameters: [.export],
                body: .json(
                    ExportChange.self, "what changes",
                    [
                        .init(
                            "priority",
                            "-100...100; higher goes first. A priority above the tenant's cap needs the scope `admin`",
                            .integer(-100...100))
                    ]),
                answers: [.json(Export.self, "the export")], faults: [.badRequest, .notFound, .conflict, .tooLarge]), use: change)
        router.add(
            RouteDescription(
                .delete, "/v1/exports/:id", "removeExport",
                "Removes an export that has ended, with its jobs and events. Its film goes with a later collection of garbage, "
                    + "unless another export has the same.",
                scopes: [.submit], parameters: [.export], answers: [RouteAnswer(204, nil, "the export is removed")],
                faults: [.notFound, .conflict]), use: remove)
        router.add(
            RouteDescription(
                .post, "/v1/exports/:id/rerun", "rerunExport",
                "Submits the same draft, parameters and settings again as a new export with the same priority. Artifacts that "
                    + "exist are not rendered again.",
                scopes: [.submit], parameters: [.export], headers: [.idempotencyKey],
                answers: [
                    .json(Export.self, "the new export, with its address in `Location`", status: 201, headers: [.location]),
                    .json(Export.self, "the export that the same `Idempotency-Key` made before"),
                ],
                faults: [.badRequest, .notFound, .conflict]), use: rerun)
    }

    @Sendable private func submit(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let key = try request.idempotencyKey()
        let body = try await request.bytes(upTo: service.options.documentLimit, context)
        var accepted = try await service.submissionCheck(tenant: caller.tenant).accepted(body)
        accepted.request.mayExceedCap = caller.isOperator
        let idempotency = key.map { NewExport.Idempotency(key: $0, bodyHash: accepted.bodyHash) }
        return try await accept(
            accepted.request, warnings: accepted.warnings, tenant: caller.tenant, idempotency: idempotency, request, context)
    }

    /// Submits the same draft, parameters and settings again as a new export with the same priority, which the caller must
    /// be allowed to give. Artifacts that exist already are not rendered again.
    @Sendable private func rerun(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let key = try request.idempotencyKey()
        let export = try await find(context, caller)
        guard let source = try await service.store.source(of: export.id) else { throw missing(export.id) }
        let again = ExportRequest(
            .document(source.document), label: export.label, parameters: source.parameters, settings: source.settings,
            priority: source.priority, mayExceedCap: caller.isOperator, pool: source.pool, tags: export.tags ?? [:],
            metadata: export.metadata)
        let idempotency = key.map {
            NewExport.Idempotency(key: $0, bodyHash: ContentHash.of("rerun \(export.id)".utf8))
        }
        return try await accept(again, warnings: [], tenant: export.tenant, idempotency: idempotency, request, context)
    }

    private func accept(
        _ wanted: ExportRequest, warnings: [DraftDiagnostic], tenant: Int64, idempotency: NewExport.Idempotency?,
        _ request: Request, _ context: FarmRequestContext
    ) async throws -> Response {
        let id = ExportID()
        let trace = SubmissionTrace(id, request)
        var (export, isNew) = try await service.submissions.submit(
            NewExport(wanted, id: id, tenant: tenant, idempotency: idempotency))
        if isNew {
            service.wake()
            trace.end()
            context.logger.info("the export is accepted", metadata: .ids(export: export.id))
            // These are only the warnings known before probing; the leader finds them again, with any others.
            export.warnings = warnings
        }
        return try .json(
            export, status: isNew ? .created : .ok,
            headers: [.location: "/v1/exports/\(export.id)"])
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let query = try request.query("state", "label", "order", "tag", "metadata", "batch", "limit", "cursor")
        let page = try Page(query)
        var filter = try ExportFilter(query, tags: try request.parameters().values("tag"))
        filter.tenant = caller.visibleTenant
        filter.state = try query.choice("state", ExportState.self)
        filter.order = try query.choice("order", ExportOrder.self) ?? .newest
        if let label = query.values["label"] {
            guard (1...500).contains(label.unicodeScalars.count) else {
                throw RequestFault(.badRequest, "label takes 1...500 characters, not \(label.unicodeScalars.count)")
            }
            filter.label = label
        }
        filter.limit = page.asked
        guard filter.order == .priority else {
            filter.before = try page.number()
            return try .json(page.listing(try await store.exports(filter)) { "\($0.number)" })
        }
        (filter.priorityBefore, filter.before) = try page.pair() ?? (nil, nil)
        return try .json(page.listing(try await store.exports(filter)) { "\($0.priority) \($0.number)" })
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        return try .json(try await find(context, caller))
    }

    @Sendable private func cancel(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let id = try context.exportID()
        return try .json(try await ExportActions(service: service).cancel(id, caller, context))
    }

    @Sendable private func change(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let export = try await find(context, caller)
        let wanted = try await request.body(ExportChange.self, context)
        guard (-100...100).contains(wanted.priority) else {
            throw RequestFault(.badRequest, "a priority is -100...100, not \(wanted.priority)")
        }
        try await store.setPriority(wanted.priority, of: export.id, mayExceedCap: caller.isOperator)
        service.wake()
        return try .json(try await find(context, caller))
    }

    @Sendable private func remove(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        try await store.removeExport(try await find(context, caller).id)
        return Response(status: .noContent)
    }

    private func find(_ context: FarmRequestContext, _ caller: Caller) async throws -> Export {
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.visibleTenant) else { throw missing(id) }
        return export
    }

    private func missing(_ id: ExportID) -> RequestFault { RequestFault(.notFound, "there is no export \(id)") }

}

extension HTTPField.Name {
    static let idempotencyKey = parsed("Idempotency-Key")
    static let draftRevision = parsed("Draft-Revision")
    static let assetName = parsed("Asset-Name")

    static func parsed(_ name: String) -> HTTPField.Name {
        guard let parsed = HTTPField.Name(name) else { preconditionFailure("'\(name)' is a header's name") }
        return parsed
    }
}
