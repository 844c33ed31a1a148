package import DraftModel
import Vocabulary

/// The rows of a batch while they are checked one after the other: which are accepted, which have faults, and what is
/// wrong with the rows as a whole. The client and the API check with it.
package struct BatchRows: Sendable {
    /// The number of rows of one batch.
    package static let limit = 100_000
    /// The number of columns of a row.
    package static let columnLimit = 1_000
    /// The number of refused rows whose faults are kept with a batch.
    private static let keptFaults = 20

    /// A row that has faults.
    package struct Refused: Hashable, Sendable {
        package var number: Int
        package var values: [String: String]
        /// At most 20 of its faults.
        package var faults: [DraftDiagnostic]

        package init(number: Int, values: [String: String], faults: [DraftDiagnostic]) {
            self.number = number
            self.values = values
            self.faults = faults
        }
    }

    private let template: BatchTemplate
    private let columns: Set<String>
    private let count: Int
    package private(set) var accepted: [BatchRow] = []
    package private(set) var refused: [Refused] = []
    private var list = DiagnosticList()
    private var outputs: [String: Int] = [:]
    /// The merge fields that no row has a column for, and that have been reported.
    private var missing: Set<String> = []
    /// Faults of the template itself that have been reported.
    private var ofTemplate: Set<DraftDiagnostic> = []

    /// - Parameters:
    ///   - rows: all rows, in their order.
    package init(_ template: BatchTemplate, rows: [[String: String]]) {
        self.template = template
        columns = rows.reduce(into: Set()) { $0.formUnion($1.keys) }
        count = rows.count
    }

    /// What is wrong with the number of rows or columns; nil where nothing is.
    package static func complaint(about rows: [[String: String]]) -> String? {
        if rows.isEmpty { return "a batch needs at least one row" }
        if rows.count > limit {
            return "a batch has at most \(limit) rows, not \(rows.count); submit them as several batches"
        }
        guard let place = rows.firstIndex(where: { $0.count > columnLimit }) else { return nil }
        return "row \(place + 1) has \(rows[place].count) columns; \(columnLimit) are allowed"
    }

    /// All faults, with the paths of rows; at most 1000 are listed.
    package var faults: [DraftDiagnostic] { list.all }

    /// Warnings about columns that nothing uses.
    package var warnings: [DraftDiagnostic] {
        let used = template.usedColumns
        return columns.subtracting(used).sorted().prefix(100).map { column in
            let near = nearestName(to: column, among: used.sorted()).map { "; did you mean '\($0)'?" } ?? ""
            return DraftDiagnostic(
                path: "rows", code: .noEffect, severity: .warning,
                message: "nothing uses the column '\(column)'\(near)", remedy: "remove it, or use {{\(column)}} in the template")
        }
    }

    /// Adds the next row.
    /// - Parameters:
    ///   - reading: the row, as the template read it.
    ///   - further: diagnostics of its draft that reading does not find.
    package mutating func add(_ reading: BatchTemplate.Reading, further: [DraftDiagnostic] = []) {
        let row = reading.row
        var found = reading.faults
        var common: [Int: DraftDiagnostic] = [:]
        for fault in (reading.diagnostics + further).errors {
            found.append(template.diagnostic(fault, of: row))
            // What is written in the template without merge fields is its own fault, and reported once.
            if found.last?.row?.column == nil, template.template.fieldNames(at: fault.path).isEmpty, !fault.path.isEmpty {
                common[found.count - 1] = fault
            }
        }
        if !row.output.isEmpty {
            let identity = OutputName.identity(row.output)
            if let first = outputs[identity] {
                let column = template.output.fieldNames.intersection(row.values.keys).sorted().first
                found.append(
                    .ofRow(
                        row.number, column: column, code: .conflict,
                        "output: row \(first) has the name '\(row.output)', too; make the names different, as with {{row}}"))
            } else {
                outputs[identity] = row.number
            }
        }
        guard !found.isEmpty else {
            accepted.append(row)
            return
        }
        refused.append(Refused(number: row.number, values: row.values, faults: Array(found.prefix(BatchRows.keptFaults))))
        for (place, fault) in found.enumerated() {
            guard let own = common[place] else {
                report(fault)
                continue
            }
            if ofTemplate.insert(own).inserted { list.append(own) }
        }
    }

    /// Reports a fault; a column that no row has is reported once.
    private mutating func report(_ fault: DraftDiagnostic) {
        guard fault.code == .missingParameter, let column = fault.row?.column, !columns.contains(column) else {
            list.append(fault)
            return
        }
        guard missing.insert(column).inserted else { return }
        let near = nearestName(to: column, among: columns.subtracting(template.usedColumns).sorted()).map {
            "; did you mean '\($0)'?"
        }
        list.append(
            DraftDiagnostic(
                path: "rows", code: .missingField,
                message: "the template has the merge field {{\(column)}}, and no row has the column '\(column)'\(near ?? "")",
                remedy: "add the column, or give a value for all rows"))
    }

    /// A sentence that counts the rows with faults.
    package var summary: String {
        let rows = refused.count == 1 ? "one of \(count) rows has" : "\(refused.count) of \(count) rows have"
        return "\(rows) faults, so nothing of the batch is accepted; correct them, or accept the other rows with partial"
    }
}
