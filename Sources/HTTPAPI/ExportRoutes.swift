import ContentHashing
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import JobQueue
import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Exports: accept, show, cancel, run again.
struct ExportRoutes {
    let service: FarmService

    private var store: any FarmStore { service.store }

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.post("exports", use: submit)
        v1.get("exports", use: list)
        v1.get("exports/:id", use: show)
        v1.post("exports/:id/cancel", use: cancel)
        v1.post("exports/:id/rerun", use: rerun)
    }

    @Sendable private func submit(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let key = try idempotencyKey(request)
        let body = try await request.bytes(upTo: service.options.documentLimit, context)
        let accepted = try await SubmissionCheck(service, tenant: caller.tenant).accepted(body)
        let idempotency = key.map { (key: $0, bodyHash: accepted.bodyHash) }
        return try await accept(
            accepted.request, warnings: accepted.warnings, tenant: caller.tenant, idempotency: idempotency)
    }

    /// The same draft, parameters and settings again, as a new export; what is rendered already is not rendered again.
    @Sendable private func rerun(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let key = try idempotencyKey(request)
        let export = try await find(context, caller)
        guard let source = try await service.store.source(of: export.id) else { throw missing(export.id) }
        let again = ExportRequest(
            .document(source.document), label: export.label, parameters: source.parameters, settings: source.settings,
            priority: source.priority, pool: source.pool)
        let idempotency = key.map { (key: $0, bodyHash: ContentHash.of("rerun \(export.id)".utf8)) }
        return try await accept(again, warnings: [], tenant: export.tenant, idempotency: idempotency)
    }

    private func accept(
        _ wanted: ExportRequest, warnings: [DraftDiagnostic], tenant: Int64, idempotency: (key: String, bodyHash: String)?
    ) async throws -> Response {
        var (export, isNew) = try await store.submit(wanted, id: ExportID(), tenant: tenant, idempotency: idempotency)
        if isNew {
            service.wake()
            // The leader will find these again, and more.
            export.warnings = warnings
        }
        return try .json(
            export, status: isNew ? .created : .ok,
            headers: [.location: "/v1/exports/\(export.id)"])
    }

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let query = try request.query("state", "limit")
        let exports = try await store.exports(
            tenant: caller.sees, state: try query.choice("state", ExportState.self), limit: try query.limit())
        return try .json(Listing(exports, at: Date()))
    }

    @Sendable private func show(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        return try .json(try await find(context, caller))
    }

    @Sendable private func cancel(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let export = try await find(context, caller)
        guard let attempts = try await store.cancel(export.id) else {
            let now = try await store.export(export.id, tenant: caller.sees) ?? export
            throw RequestFault(.conflict, "the export is over already: it is \(now.state.rawValue)")
        }
        do {
            try await service.queue.cancel(attempts)
        } catch {
            // The export is cancelled all the same: what a worker still reports of it is ignored.
            context.logger.warning("workers could not be told of a cancelled export", metadata: ["error": "\(error)"])
        }
        service.wake()
        guard let cancelled = try await store.export(export.id, tenant: caller.sees) else { throw missing(export.id) }
        return try .json(cancelled)
    }

    private func find(_ context: FarmRequestContext, _ caller: Caller) async throws -> Export {
        let id = try context.exportID()
        guard let export = try await store.export(id, tenant: caller.sees) else { throw missing(id) }
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
