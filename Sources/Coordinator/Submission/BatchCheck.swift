import ArtifactStore
import BlockingWork
import ContentHashing
import DraftCompiler
import DraftModel
import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Checks a batch before it is accepted: the same as `SubmissionCheck` for the export of every row. The template is
/// parsed once, and rows are read in groups on the threads for long work, so that other tenants' documents are not kept
/// waiting by a batch with many rows.
package struct BatchCheck {
    private let check: SubmissionCheck

    /// How many rows are read in one go.
    private static let rowsAtOnce = 100

    package init(_ check: SubmissionCheck) {
        self.check = check
    }

    /// - Parameters:
    ///   - body: the request's body as it was sent.
    ///   - id: the id that the batch gets.
    ///   - key: the idempotency key.
    ///   - isOperator: whether the client may exceed the tenant's cap.
    /// - Throws: `RequestFault` with all diagnostics: nothing is accepted if a row has faults, unless the body says
    ///   `partial`, and at least one row has none.
    package func accepted(_ body: Data, id: BatchID, key: String?, isOperator: Bool) async throws -> NewBatch {
        let (submission, bodyHash) = try await check.work.run(lane: check.tenant) {
            try JSONText(body).checkFields(against: BatchSubmission.Options.fields)
            let submission = try BatchSubmission(body: body)
            try BatchCheck.checkFields(submission.options)
            return (submission, ContentHash.of(body))
        }
        let options = submission.options
        let (subject, document) = try await check.subject(
            document: submission.document, draft: options.draft, revision: options.revision)
        let template = try await check.work.run(lane: check.tenant) {
            try TextCheck.noNUL(inJSON: document, "the template")
            do throws(DraftError) {
                return try BatchTemplate(
                    Data(document.utf8), parameters: options.parameters ?? [:], settings: options.settings ?? [:],
                    output: options.output, tags: options.tags ?? [:])
            } catch {
                throw RequestFault(
                    .invalid, error.diagnostics.errorCount(of: "the template or its settings"), diagnostics: error.diagnostics)
            }
        }
        let destinationFaults = try await check.destinationFaults(template.settings)
        guard destinationFaults.isEmpty else {
            throw RequestFault(
                .invalid, destinationFaults.errorCount(of: "the template or its settings"), diagnostics: destinationFaults)
        }
        let (rows, title) = try await checked(options.rows ?? [], template)
        guard rows.refused.isEmpty || options.partial == true && !rows.accepted.isEmpty else {
            throw RequestFault(.invalid, rows.summary, diagnostics: rows.faults)
        }
        let request = ExportRequest(
            subject, label: options.label ?? title ?? options.draft ?? "untitled", parameters: template.parameters,
            settings: template.settings, priority: options.priority, mayExceedCap: isOperator, pool: options.pool ?? "default",
            tags: options.tags ?? [:], metadata: options.metadata)
        return NewBatch(
            request, id: id, tenant: check.tenant, columns: template.names.sorted(), pace: options.pace, rows: rows.accepted,
            refused: rows.refused, warnings: rows.warnings,
            idempotency: key.map { NewExport.Idempotency(key: $0, bodyHash: bodyHash) })
    }

    private static func checkFields(_ options: BatchSubmission.Options) throws {
        try SubmissionCheck.checkFields(
            ExportSubmission.Options(
                draft: options.draft, revision: options.revision, label: options.label, parameters: options.parameters,
                settings: options.settings, priority: options.priority, pool: options.pool, metadata: options.metadata))
        let rows = options.rows ?? []
        if let complaint = BatchRows.complaint(about: rows) {
            throw RequestFault(rows.count > BatchRows.limit ? .tooLarge : .badRequest, complaint)
        }
        // Their values may have merge fields, and are checked for each row.
        try ExportTags.check((options.tags ?? [:]).mapValues { _ in "" })
        if let pace = options.pace, !(0.01...1_000_000).contains(pace) {
            throw RequestFault(.badRequest, "pace must be 0.01...1000000 exports per minute, not \(pace)")
        }
        for (place, row) in rows.enumerated() {
            for (name, value) in row { try TextCheck.noNUL(name + value, "row \(place + 1)") }
        }
    }

    /// Checks all rows.
    /// - Returns: the rows, and the title that all drafts have.
    private func checked(
        _ values: [[String: String]], _ template: BatchTemplate
    ) async throws -> (rows: BatchRows, title: String?) {
        var rows = BatchRows(template, rows: values)
        var assets: [String: Bool] = [:]
        var titles: Set<String?> = []
        var next = 0
        while next < values.count {
            let group = next..<min(values.count, next + BatchCheck.rowsAtOnce)
            next = group.upperBound
            let sources = check.sources
            let read = try await check.work.run(lane: check.tenant) {
                group.map { place in BatchCheck.ReadRow(template.read(values[place], number: place + 1), sources) }
            }
            for row in read {
                for use in row.assets where assets[use.hash] == nil { assets[use.hash] = try await check.isThere(use.hash) }
                titles.insert(row.reading.draft?.title)
            }
            let known = assets
            let further = try await check.work.run(lane: check.tenant) { read.map { $0.further(known) } }
            for (row, further) in zip(read, further) { rows.add(row.reading, further: further) }
        }
        let title = titles.count == 1 ? titles.first ?? nil : nil
        return (rows, title.flatMap(SubmissionCheck.label))
    }

    /// A row with what its sources' locations alone say.
    private struct ReadRow: Sendable {
        var reading: BatchTemplate.Reading
        var faults: [DraftDiagnostic] = []
        var assets: [(path: String, hash: String)] = []

        init(_ reading: BatchTemplate.Reading, _ sources: SourceRule) {
            self.reading = reading
            guard let draft = reading.draft else { return }
            faults = sources.faults(of: draft)
            assets = SourceUse.all(in: draft).compactMap { use in AssetLocation.hash(of: use.url).map { (use.path, $0) } }
        }

        /// The faults that reading does not find, of sources and of the composition.
        func further(_ known: [String: Bool]) -> [DraftDiagnostic] {
            let missing = assets.filter { known[$0.hash] != true }.map { SubmissionCheck.missingAsset($0.hash, at: $0.path) }
            guard let draft = reading.draft else { return missing }
            let reported = faults + missing
            let all = SubmissionCheck.composing(draft, reading.settings, reported: reading.diagnostics + reported)
            return all.errors.filter { !reading.diagnostics.contains($0) }
        }
    }
}
