import FoundationEssentials

/// The text of a batch's manifest, as JSON and as CSV (RFC 4180, with `\n` at the end of a line).
package enum BatchManifest {
    /// A whole manifest, as JSON has it.
    package struct Document: Hashable, Sendable, Codable {
        package var batch: Batch
        package var rows: [BatchResult]
    }

    /// What stands before the rows of a manifest in JSON.
    package static func opening(_ batch: Batch) throws -> String { "{\"batch\":\(try text(batch)),\"rows\":[" }

    /// What stands behind the rows of a manifest in JSON.
    package static let closing = "\n]}\n"

    /// A row of a manifest in JSON.
    package static func json(_ result: BatchResult) throws -> String { try text(result) }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try FarmJSON.encode(value), as: UTF8.self)
    }

    /// The first line of a manifest in CSV.
    /// - Parameter columns: the columns of the batch.
    package static func header(_ columns: [String]) -> String {
        line(["row", "state", "output", "export", "frames", "finishedAt", "message"] + columns.map { "column.\($0)" })
    }

    /// The line of a row in CSV.
    package static func line(_ result: BatchResult, _ columns: [String]) -> String {
        line(
            [
                "\(result.row)", result.state.rawValue, result.output ?? "", result.export?.text ?? "",
                result.frames.map { "\($0)" } ?? "", result.finishedAt.map(FarmJSON.text) ?? "", result.message ?? "",
            ] + columns.map { result.values[$0] ?? "" })
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\n"
    }

    /// A cell, in quotes where it has a character that would end it, or spaces at its ends.
    private static func quoted(_ cell: String) -> String {
        let needsQuotes =
            cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.first == " " || cell.last == " "
        return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }
}
