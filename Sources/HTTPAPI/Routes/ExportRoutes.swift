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
                .post, "/v1/exports", "Submits an export of a document, or of a draft in the library.", scopes: [.submit],
                headers: [.idempotencyKey],
                body: .json(
                    ExportSubmission.Options.self, "either `document` or `draft`, and options",
                    [
                        .init("document", "the draft document ([draft.md](draft.md)) as JSON"),
                        .init("draft", "the name of a draft in the library"),
                        .init("revision", "the revision of that draft, by default the newest"),
                        .init("label", "1...500 characters, a name for people; by default the draft's title or name"),
                        .init("parameters", "an object of texts: the values of merge fields"),
                        .init("settings", "an object of texts, numbers and booleans: the export's settings"),
                        .init(
                            "priority",
                            "-100...100, by default 0, or the tenant's cap where that is lower; higher goes first. A priority "
                                + "above the cap goes before shares, and needs the scope `admin`"),
                        .init("pool", "only workers of this pool take the jobs; by default `default`"),
                    ]),
                answers: [
                    .json("the export, with its address in `Location`", status: 201),
                    .json("the export that the same `Idempotency-Key` made before"),
                ],
                faults: [.badRequest, .notFound, .conflict, .tooLarge, .invalid]), use: submit)
        router.add(
            RouteDescription(
                .get, "/v1/exports", "Lists exports, the newest first.", scopes: [.read],
                query: [.choice("state", ExportState.self, "only exports in this state"), .limit],
                answers: [.json("a listing of exports")], faults: [.badRequest]), use: list)
        router.add(
            RouteDescription(
                .get, "/v1/exports/:id", "Shows an export.", scopes: [.read], parameters: [.export],
                answers: [.json("the export")], faults: [.notFound]), use: show)
        router.add(
            RouteDescription(
                .post, "/v1/exports/:id/cancel", "Cancels an export that has not ended.", scopes: [.submit],
                parameters: [.export], answers: [.json("the export")], faults: [.notFound, .conflict]), use: cancel)
        router.add(
            RouteDescription(
                .post, "/v1/exports/:id/rerun",
                "Submits the same draft, parameters and settings again as a new export with the same priority. Artifacts that "
                    + "exist are not rendered again.",
                scopes: [.submit], parameters: [.export], headers: [.idempotencyKey],
                answers: [
                    .json("the new export, with its address in `Location`", status: 201),
                    .json("the export that the same `Idempotency-Key` made before"),
                ],
                faults: [.badRequest, .notFound, .conflict]), use: rerun)
    }

    @Sendable private func submit(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let key = try idempotencyKey(request)
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
        let key = try idempotencyKey(request)
        let export = try await find(context, caller)
        guard let source = try await service.store.source(of: export.id) else { throw missing(export.id) }
        let again = ExportRequest(
            .document(source.document), label: export.label, parameters: source.parameters, settings: source.settings,
            priority: source.priority, mayExceedCap: caller.isOperator, pool: source.pool)
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
        let query = try request.query("state", "limit")
        let exports = try await store.exports(
            tenant: caller.visibleTenant, state: try query.choice("state", ExportState.self), limit: try query.limit())
        return try .json(Listing(exports, at: Date()))
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        return try .json(try await find(context, caller))
    }

    @Sendable private func cancel(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let export = try await find(context, caller)
        guard let attempts = try await store.cancel(export.id) else {
            let now = try await store.export(export.id, tenant: caller.visibleTenant) ?? export
            throw RequestFault(.conflict, "the export is over already: it is \(now.state.rawValue)")
        }
        do {
            try await service.queue.cancel(attempts)
        } catch {
            // The export is cancelled all the same: later reports of workers about it are ignored.
            context.logger.warning(
                "workers could not be told of a cancelled export",
                metadata: .ids(export: export.id).merging(["error": "\(error)"]) { $1 })
        }
        FarmMetric.endedExports.add(1, ExportState.cancelled.rawValue)
        context.logger.info("the export has been cancelled", metadata: .ids(export: export.id))
        service.wake()
        guard let cancelled = try await store.export(export.id, tenant: caller.visibleTenant) else { throw missing(export.id) }
        return try .json(cancelled)
    }

    private func find(_ context: FarmRequestContext, _ caller: Caller) async throws -> Export {
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.visibleTenant) else { throw missing(id) }
        return export
    }

    private func missing(_ id: ExportID) -> RequestFault { RequestFault(.notFound, "there is no export \(id)") }

    private func idempotencyKey(_ request: Request) throws -> String? {
        guard let key = request.headers[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw RequestFault(.badRequest, "an Idempotency-Key has 1...255 printable ASCII characters without spaces")
        }
        return key
    }
}

extension HTTPField.Name {
    static let idempotencyKey = parsed("Idempotency-Key")
    static let draftRevision = parsed("Draft-Revision")
    static let assetName = parsed("Asset-Name")

    private static func parsed(_ name: String) -> HTTPField.Name {
        guard let parsed = HTTPField.Name(name) else { preconditionFailure("'\(name)' is a header's name") }
        return parsed
    }
}
