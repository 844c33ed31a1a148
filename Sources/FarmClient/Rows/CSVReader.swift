/// Reads CSV (RFC 4180): cells in quotes may have commas, quotes (doubled) and line breaks; lines end with `\n` or
/// `\r\n`, and empty lines are passed over. The first line has the names of the columns.
///
/// A damaged file is refused with its line and column, because the rows behind the damage could be taken for others: a
/// quote that is never closed, text beside quotes, a row with more or fewer cells than the header.
struct CSVReader {
    private let bytes: [UInt8]
    private let delimiter: UInt8
    private var position = 0
    /// The line that is being read, from 1.
    private var line = 1

    private init(_ bytes: [UInt8], delimiter: UInt8) {
        self.bytes = bytes
        self.delimiter = delimiter
    }

    /// - Parameter bytes: UTF-8 without a byte order mark.
    static func read(_ bytes: [UInt8], delimiter: UInt8) throws(RowFile.Fault) -> RowFile {
        var reader = CSVReader(bytes, delimiter: delimiter)
        guard let header = try reader.next() else {
            throw RowFile.Fault(line: nil, "is empty; the first line names the columns")
        }
        try reader.check(header)
        var file = RowFile(columns: header.cells, rows: [])
        while let row = try reader.next() {
            guard row.cells.count == header.cells.count else {
                throw RowFile.Fault(
                    line: row.line,
                    "has \(row.cells.count) cells, and the header has \(header.cells.count) columns\(reader.remedy(row.cells.count))"
                )
            }
            file.rows.append(
                RowFile.Row(
                    number: file.rows.count + 1, line: row.line,
                    values: Dictionary(uniqueKeysWithValues: zip(header.cells, row.cells))))
        }
        guard !file.rows.isEmpty else { throw RowFile.Fault(line: nil, "has no rows below its header") }
        return file
    }

    private func check(_ header: (line: Int, cells: [String])) throws(RowFile.Fault) {
        var places: [String: Int] = [:]
        for (index, name) in header.cells.enumerated() {
            guard !name.allSatisfy(\.isWhitespace) else {
                throw RowFile.Fault(line: header.line, "column \(index + 1) has no name")
            }
            if let first = places[name] {
                throw RowFile.Fault(
                    line: header.line, "the columns \(first + 1) and \(index + 1) have the same name, '\(name)'")
            }
            places[name] = index
        }
    }

    private func remedy(_ count: Int) -> String {
        let other = delimiter == UInt8(ascii: ",") ? ";" : ","
        return count == 1
            ? "; cells are separated by '\(delimiter == 0x09 ? "tabs" : ",")', not by '\(other)'"
            : "; put a cell with a comma into quotes"
    }

    /// The next line that is not empty; nil at the end of the file.
    private mutating func next() throws(RowFile.Fault) -> (line: Int, cells: [String])? {
        while position < bytes.count {
            if takeLineBreak() { continue }
            let start = line
            var cells: [String] = []
            repeat { cells.append(try cell(cells.count + 1)) } while takeDelimiter()
            guard position == bytes.count || takeLineBreak() else {
                throw RowFile.Fault(
                    line: line, "has text behind the closing quote of cell \(cells.count); double the quotes inside a cell")
            }
            return (start, cells)
        }
        return nil
    }

    private mutating func cell(_ number: Int) throws(RowFile.Fault) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return try plainCell(number) }
        let start = line
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard position < bytes.count, bytes[position] == byte else { return String(decoding: text, as: UTF8.self) }
                position += 1
            } else if byte == 0x0A {
                line += 1
            }
            text.append(byte)
        }
        throw RowFile.Fault(line: start, "cell \(number) begins with a quote that is never closed")
    }

    private mutating func plainCell(_ number: Int) throws(RowFile.Fault) -> String {
        let start = position
        while position < bytes.count, bytes[position] != delimiter, bytes[position] != 0x0A, !isLineBreak(position) {
            if bytes[position] == UInt8(ascii: "\"") {
                throw RowFile.Fault(
                    line: line, "cell \(number) has a quote in the middle; put the whole cell into quotes and double those inside"
                )
            }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func takeDelimiter() -> Bool {
        guard position < bytes.count, bytes[position] == delimiter else { return false }
        position += 1
        return true
    }

    private func isLineBreak(_ place: Int) -> Bool {
        bytes[place] == 0x0A || bytes[place] == 0x0D && (place + 1 == bytes.count || bytes[place + 1] == 0x0A)
    }

    private mutating func takeLineBreak() -> Bool {
        guard position < bytes.count, isLineBreak(position) else { return false }
        position += bytes[position] == 0x0D && position + 1 < bytes.count ? 2 : 1
        line += 1
        return true
    }
}
