import ArgumentParser
import CommandLineInterface
import DraftModel
import FarmAPI
import FarmClient
import FoundationEssentials

/// The template and the rows of a batch on a command line.
struct BatchRowOptions: ParsableArguments {
    @Argument(help: "The template, a draft file with merge fields.")
    var template: String

    @Option(help: "The rows: a CSV or TSV file with a header, or a .jsonl file; - for standard input.")
    var rows: String

    @Option(help: "The format of the rows, where the file's name does not say it: csv, tsv, jsonl.")
    var format: RowFile.Format?

    @Option(help: "The name of each film's file, as in '{{name}}-{{lang}}.mp4'. Default: the row's number.")
    var output: String?

    @Flag(help: "Take the rows without faults, and leave out the others.")
    var partial = false

    func validate() throws {
        if template == "-", rows == "-" {
            throw ValidationError("only one of the template and the rows can come from standard input")
        }
        guard format == nil, RowFile.Format(ofFile: rows) == nil else { return }
        throw ValidationError(
            "--rows needs a file that ends with .csv, .tsv or .jsonl, or --format csv, tsv or jsonl; got '\(rows)'")
    }

    /// Reads the rows.
    /// - Throws: `CommandFailure` with the place of the first fault of the file.
    func readRows() throws -> RowFile {
        let data = try InputFile.read(rows)
        do throws(RowFile.Fault) {
            return try RowFile.read(data, as: format ?? RowFile.Format(ofFile: rows) ?? .csv)
        } catch {
            throw CommandFailure("\(rows): \(error)", status: ExitStatus.badInput)
        }
    }

    /// Reads the template, and the folder that its relative paths start from.
    func readTemplate() throws -> (Data, baseDirectory: String) { try DraftPreparation.readDraft(template) }

    /// Says what is wrong with rows, each fault with its row, line and column.
    /// - Throws: the exit code 65 unless the rows without faults are to be taken, and there are some.
    func check(_ checked: BatchRows, _ file: RowFile) throws {
        for warning in checked.warnings { Terminal.error("warning: \(rows): \(warning.message); \(warning.remedy ?? "")") }
        guard !checked.refused.isEmpty else { return }
        for fault in checked.faults { Terminal.error("error: " + line(fault, file)) }
        guard partial, !checked.accepted.isEmpty else {
            let some = checked.accepted.isEmpty ? "" : "; correct them, or take the other rows with --partial"
            throw CommandFailure(
                "\(BatchRowOptions.rows(checked.refused.count)) of \(file.rows.count) with faults, so nothing was accepted\(some)",
                status: ExitStatus.badInput)
        }
        Terminal.error("\(BatchRowOptions.rows(checked.refused.count)) of \(file.rows.count) left out")
    }

    /// A fault with its place: `rows.csv: row 17 (line 19), column 'lang': ...`.
    func line(_ fault: DraftDiagnostic, _ file: RowFile) -> String {
        let remedy = fault.remedy.map { "; \($0)" } ?? ""
        guard let (number, column) = fault.row else {
            let place = fault.path.isEmpty || fault.path == "rows" ? rows : "\(template): \(fault.path)"
            return "\(place): \(fault.message)\(remedy)"
        }
        let line = file.rows.indices.contains(number - 1) ? " (line \(file.rows[number - 1].line))" : ""
        let place = "\(rows): row \(number)\(line)" + (column.map { ", column '\($0)'" } ?? "")
        return "\(place): \(fault.message)\(remedy)"
    }

    static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
