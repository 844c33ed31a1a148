package import DraftModel
import Vocabulary
package import FoundationEssentials

/// The template of a batch with everything that its rows have in common, read once. `read(_:)` reads it with the values
/// of one row.
package struct BatchTemplate: Sendable {
    package let template: DraftTemplate
    /// The names that values may have: the merge fields of the template, and its own parameters.
    package let names: Set<String>
    /// Values for all rows.
    package let parameters: [String: String]
    /// The settings of the exports, with the file type that the output's name gives.
    package let settings: [String: String]
    private let readSettings: (settings: ExportSettings, diagnostics: [DraftDiagnostic])
    package let output: OutputName
    private let tags: [String: MergeText]

    /// - Parameters:
    ///   - document: the template, a draft document.
    ///   - parameters: values of merge fields for all rows.
    ///   - output: the text that names the films' files; nil for the rows' numbers.
    ///   - tags: the exports' tags, whose values may have merge fields.
    /// - Throws: `DraftError` with the faults that every row would have: a document that is not JSON, and faults of the
    ///   settings, of the output and of the values for all rows.
    package init(
        _ document: Data, parameters: [String: String], settings: [String: String], output: String?, tags: [String: String]
    ) throws(DraftError) {
        template = try DraftTemplate(document)
        names = template.fieldNames.union(template.declaredNames)
        var (read, faults) = ExportSettings.read(ExportSettings.aboutFilm(settings))
        faults = faults.map { $0.under("settings") }
        var all = settings
        do throws(OutputName.Fault) {
            let isPicture = PictureSettings.names.contains { settings[$0] != nil }
            self.output = try OutputName(output, fileType: read.fileType, isPicture: isPicture)
            if let fileType = self.output.fileType, settings["fileType"] == nil {
                all["fileType"] = fileType.rawValue
                (read, faults) = ExportSettings.read(ExportSettings.aboutFilm(all))
                faults = faults.map { $0.under("settings") }
            }
        } catch {
            throw DraftError(faults + [DraftDiagnostic(path: "output", code: .invalidValue, message: error.description)])
        }
        self.settings = all
        readSettings = (read, [])
        self.parameters = parameters
        self.tags = tags.mapValues(MergeText.init)
        for name in parameters.keys.sorted() where !names.contains(name) {
            faults.append(
                DraftDiagnostic(
                    path: "parameters.\(name)", code: .unknownParameter,
                    message: "a value was given, but the draft has no {{\(name)}}; leave the value out, or correct its name"))
        }
        guard faults.errors.isEmpty else { throw DraftError(faults) }
    }

    /// The columns that something uses: a merge field of the template, the output's name or a tag.
    package var usedColumns: Set<String> {
        tags.values.reduce(names.union(output.fieldNames)) { $0.union($1.fieldNames) }
    }

    /// One row, and the draft that the template becomes with it.
    package struct Reading: Sendable {
        package var row: BatchRow
        package var draft: Draft?
        package var settings: ExportSettings
        /// All diagnostics of the draft, with the paths of the template.
        package var diagnostics: [DraftDiagnostic]
        /// What is wrong with the name of the film's file or a tag, as diagnostics of the row.
        package var faults: [DraftDiagnostic]
    }

    /// Reads the template with the values of a row.
    /// - Parameter number: the number of the row, from 1.
    package func read(_ values: [String: String], number: Int) -> Reading {
        let all = parameters.merging(values) { $1 }
        let reading = DraftReading(template, parameters: all.filter { names.contains($0.key) }, settings: readSettings)
        var row = BatchRow(number: number, values: values, output: "", tags: [:])
        var faults: [DraftDiagnostic] = []
        do throws(OutputName.Fault) {
            row.output = try output.name(row: number, values: all)
        } catch {
            let column = output.fieldNames.intersection(values.keys).sorted().first
            faults.append(.ofRow(number, column: column, code: .invalidValue, "output: \(error)"))
        }
        for (key, text) in tags.sorted(by: { $0.key < $1.key }) {
            let value = text.filled(with: all)
            row.tags[key] = value
            guard let complaint = ExportTags.complaint(aboutValue: value, of: key) else { continue }
            let column = text.fieldNames.intersection(values.keys).sorted().first
            faults.append(.ofRow(number, column: column, code: .invalidValue, complaint))
        }
        return Reading(
            row: row, draft: reading.draft, settings: reading.settings, diagnostics: reading.diagnostics, faults: faults)
    }

    /// A diagnostic of the template as one of a row: it names the row, and the column whose value stands at its place.
    package func diagnostic(_ fault: DraftDiagnostic, of row: BatchRow) -> DraftDiagnostic {
        let used = template.fieldNames(at: fault.path)
        let isMissing = fault.code == .missingParameter
        let column = used.filter { isMissing ? row.values[$0] == nil && parameters[$0] == nil : row.values[$0] != nil }.sorted()
            .first
        let place = fault.path.isEmpty ? "" : "\(fault.path): "
        let remedy = fault.remedy.map { "; \($0)" } ?? ""
        let message =
            isMissing && column != nil
            ? "\(place)the merge field {{\(column ?? "")}} has no value; add the column, or give a value for all rows"
            : "\(place)\(fault.message)\(remedy)"
        var result = DraftDiagnostic.ofRow(row.number, column: column, code: fault.code, message)
        result.severity = fault.severity
        return result
    }
}

/// A row of a batch that has been read.
package struct BatchRow: Hashable, Sendable {
    /// The number of the row, from 1.
    package var number: Int
    /// The values by column.
    package var values: [String: String]
    /// The name of the film's file.
    package var output: String
    package var tags: [String: String]

    package init(number: Int, values: [String: String], output: String, tags: [String: String]) {
        self.number = number
        self.values = values
        self.output = output
        self.tags = tags
    }
}

extension DraftDiagnostic {
    /// A diagnostic about a row of a batch, with the path `rows[16].lang`: the row's place, from 0, and its column.
    /// - Parameter number: the number of the row, from 1.
    package static func ofRow(_ number: Int, column: String?, code: Code, _ message: String) -> DraftDiagnostic {
        DraftDiagnostic(path: "rows[\(number - 1)]" + (column.map { ".\($0)" } ?? ""), code: code, message: message)
    }

    /// The number of the row and the column that the diagnostic is about; nil for one about something else.
    package var row: (number: Int, column: String?)? {
        guard path.hasPrefix("rows["), let end = path.firstIndex(of: "]"),
            let index = Int(path[path.index(path.startIndex, offsetBy: 5)..<end])
        else { return nil }
        let rest = path[path.index(after: end)...]
        return (index + 1, rest.isEmpty ? nil : String(rest.dropFirst()))
    }
}
