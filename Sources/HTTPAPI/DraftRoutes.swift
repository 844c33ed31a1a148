import BlockingWork
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The library of named drafts.
struct DraftRoutes {
    let store: any LibraryStore
    let limit: Int
    let work: BlockingPool

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.put("drafts/:name", use: put)
        v1.get("drafts/:name", use: get)
        v1.get("drafts", use: list)
    }

    /// A draft of the library may have merge fields that get their values when it is submitted; all else is judged now.
    @Sendable private func put(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let name = try context.parameters.require("name")
        try TextCheck.draftName(name)
        let body = try await request.bytes(upTo: limit, context)
        let document = try await work.run(lane: caller.tenant) {
            guard let document = String(validating: body, as: UTF8.self) else {
                throw RequestFault(.badRequest, "the draft is not UTF-8")
            }
            try TextCheck.noNUL(inJSON: document, "the draft")
            let faults = Draft.read(body).diagnostics.filter { $0.code != .missingParameter }
            guard faults.errors.isEmpty else {
                throw RequestFault(.invalid, "the draft is faulty", diagnostics: faults)
            }
            return document
        }
        return try .json(try await store.putDraft(name, document: document, tenant: caller.tenant))
    }

    @Sendable private func get(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let name = try context.parameters.require("name")
        let revision = try request.query("revision").integer("revision", in: 1...Int(Int32.max))
        try TextCheck.draftName(name)
        guard let found = try await store.draft(name, revision: revision, tenant: caller.tenant) else {
            let which = revision.map { "revision \($0) of the draft" } ?? "draft"
            throw RequestFault(.notFound, "there is no \(which) '\(name)'")
        }
        return .json(Data(found.document.utf8), headers: [.draftRevision: "\(found.revision.revision)"])
    }

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        _ = try request.query()
        return try .json(Listing(try await store.drafts(tenant: caller.tenant), at: Date()))
    }
}
