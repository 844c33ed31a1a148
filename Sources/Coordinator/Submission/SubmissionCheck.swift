package import ArtifactStore
package import BlockingWork
import ContentHashing
import DraftCompiler
package import DraftModel
import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Checks everything about a submission that can be checked before it is accepted: its fields, its draft without the
/// media, whether the farm takes sources of this kind, and whether its assets exist. An accepted submission can fail
/// only because of what its sources turn out to contain.
///
/// A document may be large, so everything that reads or compares it runs on the threads for long work, in the tenant's
/// lane.
package struct SubmissionCheck {
    let store: any LibraryStore & TenantStore
    let assets: any AssetBlobs
    let sources: SourceRule
    let destinations: DestinationRule
    let work: BlockingPool
    let tenant: Int64

    /// - Parameters:
    ///   - store: where named drafts and assets are looked up.
    ///   - assets: the files of the assets.
    ///   - sources: the locations that the farm accepts.
    ///   - destinations: the places that films may be sent to.
    ///   - work: the threads that read documents.
    ///   - tenant: whose submission it is.
    package init(
        store: any LibraryStore & TenantStore, assets: any AssetBlobs, sources: SourceRule,
        destinations: DestinationRule = .none, work: BlockingPool, tenant: Int64
    ) {
        self.store = store
        self.assets = assets
        self.sources = sources
        self.destinations = destinations
        self.work = work
        self.tenant = tenant
    }

    /// A submission that can be accepted.
    package struct Accepted: Sendable {
        /// The request with every default filled in, and with the revision of the draft that was checked.
        package var request: ExportRequest
        /// The sha256 of the request's body.
        package var bodyHash: String
        package var warnings: [DraftDiagnostic]
    }

    /// - Parameter body: the request's body as it was sent.
    /// - Throws: `RequestFault` with all diagnostics.
    package func accepted(_ body: Data) async throws -> Accepted {
        let (submission, bodyHash) = try await work.run(lane: tenant) {
            try JSONText(body).checkFields(against: ExportSubmission.Options.fields)
            let submission = try ExportSubmission(body: body)
            try SubmissionCheck.checkFields(submission.options)
            return (submission, ContentHash.of(body))
        }
        let options = submission.options
        let (subject, document) = try await subject(
            document: submission.document, draft: options.draft, revision: options.revision)
        let parameters = options.parameters ?? [:]
        let settings = options.settings ?? [:]
        let (draft, warnings) = try await check(document, parameters: parameters, settings: settings)
        let request = ExportRequest(
            subject, label: options.label ?? draft.title.flatMap(SubmissionCheck.label) ?? options.draft ?? "untitled",
            parameters: parameters, settings: settings, priority: options.priority, pool: options.pool ?? "default",
            tags: options.tags ?? [:], metadata: options.metadata)
        return Accepted(request: request, bodyHash: bodyHash, warnings: warnings)
    }

    /// What is submitted: a document, or a draft of the library, which is looked up.
    func subject(
        document: String?, draft: String?, revision: Int?
    ) async throws -> (ExportRequest.Subject, document: String) {
        switch (document, draft) {
        case (let text?, nil):
            guard revision == nil else { throw RequestFault(.badRequest, "a revision needs the name of a draft") }
            return (.document(text), text)
        case (nil, let name?):
            guard let found = try await store.draft(name, revision: revision, tenant: tenant) else {
                let which = revision.map { "revision \($0) of the draft '\(name)'" } ?? "draft '\(name)'"
                throw RequestFault(.notFound, "there is no \(which)")
            }
            return (.named(name, revision: found.revision.revision), found.document)
        default:
            throw RequestFault(.badRequest, "give either a document or the name of a draft")
        }
    }

    static func checkFields(_ options: ExportSubmission.Options) throws {
        if let label = options.label { try TextCheck.label(label) }
        if let name = options.draft { try TextCheck.draftName(name) }
        if let pool = options.pool { try TextCheck.tag(pool, "pool") }
        if let priority = options.priority, !(-100...100).contains(priority) {
            throw RequestFault(.badRequest, "priority must be -100...100, not \(priority)")
        }
        for (name, value) in options.parameters ?? [:] { try TextCheck.noNUL(name + value, "a parameter") }
        for (name, value) in options.settings ?? [:] { try TextCheck.noNUL(name + value, "a setting") }
        try ExportTags.check(options.tags ?? [:])
        if let metadata = options.metadata { try ExportTags.check(metadata) }
    }

    /// A draft and settings after everything was checked that needs no store.
    private struct Checked: Sendable {
        var draft: Draft
        var settings: ExportSettings
        var faults: [DraftDiagnostic]
        var uses: [SourceUse]
    }

    /// - Throws: `RequestFault` with every fault of draft, settings and sources.
    package func check(
        _ document: String, parameters: [String: String], settings: [String: String]
    ) async throws -> (draft: Draft, warnings: [DraftDiagnostic]) {
        let sources = sources
        let checked = try await work.run(lane: tenant) {
            try TextCheck.noNUL(inJSON: document, "the draft")
            let reading = DraftReading(
                Data(document.utf8), parameters: parameters, settings: ExportSettings.aboutFilm(settings))
            guard let draft = reading.draft else { throw SubmissionCheck.fault(reading.diagnostics) }
            return Checked(
                draft: draft, settings: reading.settings, faults: reading.diagnostics + sources.faults(of: draft),
                uses: SourceUse.all(in: draft))
        }
        let reported = checked.faults + (try await missingAssets(checked.uses)) + (try await destinationFaults(settings))
        let all = try await work.run(lane: tenant) {
            SubmissionCheck.composing(checked.draft, checked.settings, reported: reported)
        }
        guard all.errors.isEmpty else { throw SubmissionCheck.fault(all) }
        return (checked.draft, all.warnings)
    }

    /// All diagnostics of a draft that do not depend on what its sources contain.
    static func composing(_ draft: Draft, _ settings: ExportSettings, reported: [DraftDiagnostic]) -> [DraftDiagnostic] {
        do {
            return try Compiler(settings: settings, facts: [:]).compose(draft, reported: reported).warnings
        } catch let error as DraftError {
            // Without source facts there is no composition; that is not an error of the draft.
            return error.diagnostics
        } catch {
            return [DraftDiagnostic(path: "", code: .invalidValue, message: "the draft cannot be compiled: \(error)")]
        }
    }

    private func missingAssets(_ uses: [SourceUse]) async throws -> [DraftDiagnostic] {
        var known: [String: Bool] = [:]
        var faults: [DraftDiagnostic] = []
        for use in uses {
            guard let hash = AssetLocation.hash(of: use.url) else { continue }
            if known[hash] == nil { known[hash] = try await isThere(hash) }
            if known[hash] == false {
                faults.append(SubmissionCheck.missingAsset(hash, at: use.path))
            }
        }
        return faults
    }

    func destinationFaults(_ settings: [String: String]) async throws -> [DraftDiagnostic] {
        guard let name = settings[ExportSettings.destination] else { return [] }
        let own = try await store.tenants().first { $0.id == tenant }?.name ?? ""
        guard let complaint = destinations.complaint(about: name, tenant: own) else { return [] }
        return [DraftDiagnostic(path: "settings.\(ExportSettings.destination)", code: .invalidValue, message: complaint)]
    }

    static func missingAsset(_ hash: String, at path: String) -> DraftDiagnostic {
        DraftDiagnostic(path: path, code: .missingSource, message: "the farm has no asset '\(hash)'; upload it first")
    }

    /// Whether the tenant has an asset, with its file.
    func isThere(_ hash: String) async throws -> Bool {
        guard TextCheck.isHash(hash), try await store.asset(hash, tenant: tenant) != nil else { return false }
        return try await assets.has(hash, tenant: tenant)
    }

    private static func fault(_ faults: [DraftDiagnostic]) -> RequestFault {
        RequestFault(.invalid, faults.errorCount(of: "the draft or its settings"), diagnostics: faults)
    }

    /// A title as a label; nil when it is not a valid label.
    static func label(_ title: String) -> String? {
        let label = String(title.prefix(TextCheck.labelLength))
        return label.isEmpty || label.utf8.contains(0) ? nil : label
    }
}
