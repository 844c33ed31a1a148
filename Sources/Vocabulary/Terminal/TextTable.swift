/// A table with aligned columns; columns of numbers are aligned to the right. Cells may hold foreign text, whose
/// control characters are escaped.
package struct TextTable: Sendable {
    private let header: [String]
    private let rows: [[String]]

    /// - Parameter rows: the rows, each with as many cells as the header.
    package init(_ header: [String], _ rows: [[String]]) {
        self.header = header
        self.rows = rows.map { $0.map(\.printable) }
    }

    /// The header, then one line for each row.
    package var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let isNumeric = header.indices.map { column in
            !rows.isEmpty && rows.allSatisfy { $0[column] == "-" || TextTable.isNumber($0[column]) }
        }
        return all.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return isNumeric[column] ? space + cell : cell + space
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Whether a cell is a number, an amount with a unit behind a space, a ratio or a size in pixels. Ids and dates are none.
    private static func isNumber(_ cell: String) -> Bool {
        guard cell.first?.isNumber == true else { return false }
        return cell.prefix { $0 != " " }.allSatisfy { $0.isNumber || ".,:%/x\u{202F}".contains($0) }
    }
}
