/// The value of one line of a list in one column.
package struct ListValue: Hashable, Sendable {
    /// The value for people.
    package var shown: String
    /// The value for programs: in CSV, and for filters.
    package var exact: String
    /// The number that it is sorted by; nil where it is sorted by its text.
    package var number: Double?
    /// Whether filters know it by the value for people as well. An age changes from one moment to the next.
    package var isKnownAsShown: Bool

    package init(shown: String, exact: String, number: Double? = nil, isKnownAsShown: Bool = true) {
        self.shown = shown
        self.exact = exact
        self.number = number
        self.isKnownAsShown = isKnownAsShown
    }

    package static func text(_ text: String) -> ListValue { ListValue(shown: text, exact: text) }

    /// - Parameter shown: the number for people, where that is another text.
    package static func number(_ number: some BinaryInteger, shown: String? = nil) -> ListValue {
        ListValue(shown: shown ?? "\(number)", exact: "\(number)", number: Double(number))
    }

    /// A value that a line does not have. It is sorted behind all others.
    package static let missing = ListValue(shown: "-", exact: "")

    fileprivate var isMissing: Bool { self == .missing }
}

/// A column of a list.
package struct ListColumn<Item> {
    /// The name, in lower case and without spaces, by which options choose it.
    package var name: String
    /// The heading in a table.
    package var header: String
    /// Whether it is shown where nobody chooses columns.
    package var isDefault: Bool
    package var value: (Item) -> ListValue

    /// - Parameter header: nil for the name in capitals.
    package init(
        _ name: String, header: String? = nil, isDefault: Bool = true, _ value: @escaping (Item) -> ListValue
    ) {
        self.name = name
        self.header = header ?? name.uppercased().replacing("-", with: " ")
        self.isDefault = isDefault
        self.value = value
    }
}

/// A request to a list: which lines, in which order, with which columns.
package struct ListRequest: Hashable, Sendable {
    package struct Filter: Hashable, Sendable {
        package var column: String
        package var value: String

        package init(column: String, value: String) {
            self.column = column
            self.value = value
        }
    }

    /// Lines for which all of them match.
    package var filters: [Filter] = []
    /// The column that is sorted by; nil for the order in which the lines come.
    package var sorting: String?
    package var isDescending = false
    /// The names of the columns; nil for those that are shown by default.
    package var columns: [String]?

    package init() {}
}

/// A list with named columns, of which lines are chosen, sorted and printed as a table or as CSV. All lists of the
/// command line with `--filter`, `--sort` and `--columns` are such tables.
package struct ListTable<Item> {
    package let columns: [ListColumn<Item>]

    package init(_ columns: [ListColumn<Item>]) { self.columns = columns }

    /// The names of all columns, for people.
    package var names: String { columns.map(\.name).joined(separator: ", ") }

    /// The fault of a request; nil where it has none.
    package func fault(of request: ListRequest) -> String? {
        for (option, names) in [
            ("--filter", request.filters.map(\.column)), ("--sort", request.sorting.map { [$0] } ?? []),
            ("--columns", request.columns ?? []),
        ] {
            if let unknown = names.first(where: { column($0) == nil }) {
                return "\(option) knows no column '\(unknown)'; there are \(self.names)"
            }
        }
        if let columns = request.columns {
            if columns.isEmpty { return "--columns takes names with commas between; there are \(names)" }
            if let twice = columns.first(where: { name in columns.count { $0 == name } > 1 }) {
                return "--columns names '\(twice)' twice; name it once"
            }
        }
        return nil
    }

    private func column(_ name: String) -> ListColumn<Item>? { columns.first { $0.name == name } }

    /// Whether a line has all the values that filters ask for, in the form for people or for programs.
    package func matches(_ item: Item, _ filters: [ListRequest.Filter]) -> Bool {
        filters.allSatisfy { filter in
            guard let value = column(filter.column)?.value(item) else { return false }
            return value.exact == filter.value || value.isKnownAsShown && value.shown == filter.value
        }
    }

    /// The lines in the order that a request asks for. Equal ones stay in their order.
    package func sorted(_ items: [Item], _ request: ListRequest) -> [Item] {
        guard let column = request.sorting.flatMap(column) else { return items }
        let keyed = items.enumerated().map { (place: $0.offset, item: $0.element, value: column.value($0.element)) }
        return keyed.sorted { left, right in
            if left.value.isMissing != right.value.isMissing { return right.value.isMissing }
            let order = ListTable.compare(left.value, right.value)
            return order == 0 ? left.place < right.place : request.isDescending ? order > 0 : order < 0
        }.map(\.item)
    }

    private static func compare(_ left: ListValue, _ right: ListValue) -> Int {
        if let first = left.number, let second = right.number { return first < second ? -1 : first > second ? 1 : 0 }
        return left.exact < right.exact ? -1 : left.exact > right.exact ? 1 : 0
    }

    private func chosen(_ request: ListRequest) -> [ListColumn<Item>] {
        request.columns.map { $0.compactMap(column) } ?? columns.filter(\.isDefault)
    }

    /// The lines of a table for people, with its header.
    package func table(_ items: [Item], _ request: ListRequest) -> [String] {
        let chosen = chosen(request)
        return TextTable(chosen.map(\.header), items.map { item in chosen.map { $0.value(item).shown } }).lines
    }

    /// The lines of CSV (RFC 4180) with the names of the columns first.
    package func csv(_ items: [Item], _ request: ListRequest) -> [String] {
        let chosen = chosen(request)
        return ([chosen.map(\.name)] + items.map { item in chosen.map { $0.value(item).exact } }).map { cells in
            cells.map(ListTable.quoted).joined(separator: ",")
        }
    }

    /// A field of CSV, in quotation marks where it needs them. Line breaks are escaped like other control characters.
    private static func quoted(_ text: String) -> String {
        let text = text.printable
        guard text.contains(where: { $0 == "," || $0 == "\"" }) || text.first == " " || text.last == " " else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
