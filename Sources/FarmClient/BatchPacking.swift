import DraftCompiler
import DraftModel
import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Checks the rows of a batch on this machine, and turns a template that names files of this machine into one that the
/// farm can render: files are uploaded, also those that only a row's values name.
///
/// A source whose location has merge fields becomes a merge field of its own, `source1` and so on, with a value in each
/// row: the asset that the row's location is on the farm. All other values stay as they are.
package struct BatchPacking {
    private let template: Data
    private let folder: String
    package let read: BatchTemplate
    private let text: JSONText

    /// - Parameter folder: the folder that relative paths start from.
    /// - Throws: `ClientFailure` with the faults that every row would have.
    package init(_ template: Data, folder: String, options: BatchSubmission.Options) throws {
        self.template = template
        self.folder = folder
        text = JSONText(template)
        do throws(DraftError) {
            read = try BatchTemplate(
                template, parameters: options.parameters ?? [:], settings: options.settings ?? [:], output: options.output,
                tags: options.tags ?? [:])
        } catch {
            throw ClientFailure(
                .draft, error.diagnostics.errorCount(of: "the template or its settings"), diagnostics: error.diagnostics)
        }
    }

    /// Reads and checks all rows.
    /// - Parameter composes: whether everything is checked that needs no media; the farm does the same.
    package func check(_ values: [[String: String]], composes: Bool = true) -> BatchRows {
        var rows = BatchRows(read, rows: values)
        var known: [String: DraftDiagnostic?] = [:]
        for (place, row) in values.enumerated() {
            let reading = read.read(row, number: place + 1)
            rows.add(reading, further: further(reading, &known, composes))
        }
        return rows
    }

    private func further(
        _ reading: BatchTemplate.Reading, _ known: inout [String: DraftDiagnostic?], _ composes: Bool
    ) -> [DraftDiagnostic] {
        guard let draft = reading.draft else { return [] }
        var found: [DraftDiagnostic] = []
        for use in SourceUse.all(in: draft) where use.isFile && DraftPacking.isLocal(use.url) {
            let fault = known[use.url] ?? DraftPacking.fault(of: use.url, at: use.path, in: folder)
            known[use.url] = .some(fault)
            if var fault {
                fault.path = use.path
                found.append(fault)
            }
        }
        guard composes else { return found }
        do {
            _ = try Compiler(settings: reading.settings, facts: [:]).compose(draft, reported: reading.diagnostics + found)
        } catch let error as DraftError {
            // Without source facts there is no composition; that is not an error of the draft.
            found = error.diagnostics.errors.filter { !reading.diagnostics.contains($0) }
        } catch {
            found.append(DraftDiagnostic(path: "", code: .invalidValue, message: "the draft cannot be compiled: \(error)"))
        }
        return found
    }

    /// The submission of rows, whose files have been uploaded.
    /// - Parameters:
    ///   - values: the rows; those with faults stay as they are.
    ///   - rows: what `check` found of them.
    package func submission(
        of values: [[String: String]], _ rows: BatchRows, options: BatchSubmission.Options, with packing: DraftPacking
    ) async throws -> BatchSubmission {
        let sources = mergedSources
        var packed = values
        for row in rows.accepted {
            guard let draft = read.read(row.values, number: row.number).draft else { continue }
            for use in SourceUse.all(in: draft) where sources[use.path] != nil {
                guard let name = sources[use.path] else { continue }
                packed[row.number - 1][name] =
                    DraftPacking.isLocal(use.url) ? try await packing.asset(of: use.url, in: folder) : use.url
            }
        }
        // A place that a condition removes from a row has no value there, and a refused row needs none.
        for place in packed.indices {
            for name in sources.values where packed[place][name] == nil { packed[place][name] = "" }
        }
        let places = text.values(at: Array(sources.keys))
        let replaced = text.replacing(
            sources.compactMap { path, name in places[path].map { (range: $0, text: "\"{{\(name)}}\"") } })
        var options = options
        options.rows = packed
        options.parameters = read.parameters
        return BatchSubmission(
            document: String(decoding: try await packing.template(of: replaced.data, folder: folder), as: UTF8.self),
            options: options)
    }

    /// The merge fields that take the places of sources whose locations have merge fields, by path.
    private var mergedSources: [String: String] {
        var names: [String: String] = [:]
        var number = 0
        for (path, range) in text.members(named: "url", outsideOf: ["metadata", "parameters"]) {
            guard let url = try? JSONDecoder().decode(String.self, from: Data(text.bytes[range])), url.contains("{{") else {
                continue
            }
            repeat { number += 1 } while read.names.contains("source\(number)")
            names[path] = "source\(number)"
        }
        return names
    }
}
