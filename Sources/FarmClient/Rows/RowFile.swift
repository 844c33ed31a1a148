package import FoundationEssentials

/// The rows of a batch as a file has them: values by column, and where each row is in the file.
///
/// A file is CSV (RFC 4180) with a header, or JSON Lines with an object a line. `RowFile.read` finds out nothing by
/// guessing: the file's name says what it is, and what is damaged is refused with its line.
package struct RowFile: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// The number of the row, from 1, without the header.
        package var number: Int
        /// The line of the file at which the row begins, from 1.
        package var line: Int
        package var values: [String: String]
    }

    package enum Format: String, CaseIterable, Hashable, Sendable {
        case csv
        /// Commas are tabs.
        case tsv
        case jsonl

        /// The format of a file of this name; nil where its suffix names none.
        package init?(ofFile name: String) {
            switch name.split(separator: ".").last?.lowercased() {
            case "csv": self = .csv
            case "tsv": self = .tsv
            case "jsonl", "ndjson": self = .jsonl
            default: return nil
            }
        }
    }

    /// Something in a file that is not rows, with its line and column.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// From 1; nil where the file as a whole is at fault.
        package var line: Int?
        package var message: String

        package init(line: Int?, _ message: String) {
            self.line = line
            self.message = message
        }

        package var description: String { line.map { "line \($0): \(message)" } ?? message }
    }

    /// The columns: those of the header, in its order, or all names that rows have, sorted.
    package var columns: [String]
    package var rows: [Row]

    /// - Throws: `Fault` for the first fault of the file.
    package static func read(_ data: Data, as format: Format) throws(Fault) -> RowFile {
        var bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Fault(line: 1, "is UTF-16; save the file as UTF-8")
        }
        try checkEncoding(bytes)
        switch format {
        case .csv: return try CSVReader.read(bytes, delimiter: UInt8(ascii: ","))
        case .tsv: return try CSVReader.read(bytes, delimiter: UInt8(ascii: "\t"))
        case .jsonl: return try readLines(bytes)
        }
    }

    private static func checkEncoding(_ bytes: [UInt8]) throws(Fault) {
        guard String(validating: bytes, as: UTF8.self) == nil else {
            if let zero = bytes.firstIndex(of: 0) {
                throw Fault(line: line(of: zero, bytes), "has a NUL character; it is damaged, or no file of rows")
            }
            return
        }
        // A line that is not UTF-8 ends at the next line feed, which is never a part of another character.
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if String(validating: bytes[start..<end], as: UTF8.self) == nil {
                throw Fault(line: number, "is not UTF-8; save the file as UTF-8")
            }
            start = end + 1
            number += 1
        }
    }

    private static func line(of place: Int, _ bytes: [UInt8]) -> Int { 1 + bytes[..<place].count { $0 == 0x0A } }

    // MARK: JSON Lines

    private static func readLines(_ bytes: [UInt8]) throws(Fault) -> RowFile {
        var file = RowFile(columns: [], rows: [])
        var names: Set<String> = []
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let text = bytes[start..<end]
            if !text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
                let values = try object(Data(text), line: number)
                names.formUnion(values.keys)
                file.rows.append(Row(number: file.rows.count + 1, line: number, values: values))
            }
            start = end + 1
            number += 1
        }
        guard !file.rows.isEmpty else { throw Fault(line: nil, "has no rows; write one JSON object a line") }
        file.columns = names.sorted()
        return file
    }
}
