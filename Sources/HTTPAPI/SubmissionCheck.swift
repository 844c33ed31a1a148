import Coordinator
import DraftCompiler
import DraftModel
import ExportPlan
import FarmAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Everything that can be said of a submission before it is accepted: its fields, its draft without the media, and whether
/// its assets are there. What it lets through fails only on what a source turns out to be.
struct SubmissionCheck {
    let store: any LibraryStore
    let assets: any AssetBlobs
    let tenant: Int64

    /// - Returns: the request with every default filled in, and the revision that was looked at.
    /// - Throws: `RequestFault` with all diagnostics.
    func request(from submission: ExportSubmission) async throws -> ExportRequest {
        let options = submission.options
        try checkFields(options)
        let subject: ExportRequest.Subject
        let document: String
        switch (submission.document, options.draft) {
        case (let text?, nil):
            guard options.revision == nil else { throw RequestFault(.badRequest, "a revision needs the name of a draft") }
            subject = .document(text)
            document = text
        case (nil, let name?):
            guard let found = try await store.draft(name, revision: options.revision, tenant: tenant) else {
                let which = options.revision.map { "revision \($0) of the draft '\(name)'" } ?? "draft '\(name)'"
                throw RequestFault(.notFound, "there is no \(which)")
            }
            subject = .named(name, revision: found.revision.revision)
            document = found.document
        default:
            throw RequestFault(.badRequest, "give either a document or the name of a draft")
        }
        try TextCheck.noNUL(inJSON: document, "the draft")
        let parameters = options.parameters ?? [:]
        let settings = options.settings ?? [:]
        let draft = try await check(document, parameters: parameters, settings: settings)
        return ExportRequest(
            subject, label: options.label ?? draft.title.flatMap(SubmissionCheck.label) ?? options.draft ?? "untitled",
            parameters: parameters, settings: settings, priority: options.priority ?? 0, pool: options.pool ?? "default")
    }

    private func checkFields(_ options: ExportSubmission.Options) throws {
        if let label = options.label { try TextCheck.label(label) }
        if let name = options.draft { try TextCheck.draftName(name) }
        if let pool = options.pool { try TextCheck.tag(pool, "pool") }
        if let priority = options.priority, !(-100...100).contains(priority) {
            throw RequestFault(.badRequest, "priority must be -100...100, not \(priority)")
        }
        for (name, value) in options.parameters ?? [:] { try TextCheck.noNUL(name + value, "a parameter") }
        for (name, value) in options.settings ?? [:] { try TextCheck.noNUL(name + value, "a setting") }
    }

    /// - Throws: `RequestFault` with every fault of draft, settings and assets.
    func check(_ document: String, parameters: [String: String], settings: [String: String]) async throws -> Draft {
        let (draft, draftFaults) = Draft.read(Data(document.utf8), parameters: parameters)
        let (exportSettings, settingFaults) = ExportSettings.read(settings)
        var faults = draftFaults
        faults += settingFaults.map { $0.under("settings") }
        guard let draft else { throw SubmissionCheck.fault(faults) }
        faults += try await missingAssets(of: draft)
        do {
            // Without facts of its sources: finds all that does not depend on them.
            _ = try Compiler(settings: exportSettings, facts: [:]).compose(draft, reported: faults)
        } catch let error as DraftError {
            faults = error.diagnostics
        }
        guard faults.errors.isEmpty else { throw SubmissionCheck.fault(faults) }
        return draft
    }

    private func missingAssets(of draft: Draft) async throws -> [DraftDiagnostic] {
        var known: [String: Bool] = [:]
        var faults: [DraftDiagnostic] = []
        for use in SourceUse.all(in: draft) {
            guard let hash = AssetLocation.hash(of: use.url) else { continue }
            if known[hash] == nil { known[hash] = try await isThere(hash) }
            if known[hash] == false {
                faults.append(
                    DraftDiagnostic(
                        path: use.path, code: .missingSource, message: "the farm has no asset '\(hash)'; upload it first"))
            }
        }
        return faults
    }

    private func isThere(_ hash: String) async throws -> Bool {
        guard TextCheck.isHash(hash), try await store.asset(hash, tenant: tenant) != nil else { return false }
        return try await assets.file(of: hash, tenant: tenant) != nil
    }

    private static func fault(_ faults: [DraftDiagnostic]) -> RequestFault {
        let count = faults.count == 1 ? "one fault" : "\(faults.count) faults"
        return RequestFault(.invalid, "the draft or its settings have \(count)", diagnostics: faults)
    }

    /// A title as a label; nil when it cannot be one.
    private static func label(_ title: String) -> String? {
        let label = String(title.prefix(TextCheck.labelLength))
        return label.isEmpty || label.utf8.contains(0) ? nil : label
    }
}
