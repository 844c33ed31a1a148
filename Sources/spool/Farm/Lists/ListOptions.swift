import ArgumentParser
import CommandLineInterface
import FarmAPI
import Vocabulary
import FoundationEssentials

/// Options of the commands that list: which lines, in which order, with which columns, and in which form.
struct ListOptions: ParsableArguments {
    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "Only lines with this value in a column; may be repeated, and all have to match.", valueName: "column=value"))
    var filters: [String] = []

    @Option(
        help: ArgumentHelp(
            "Sort by a column, times by their age; with :desc, the greatest first.", valueName: "column[:desc]"))
    var sort: String?

    @Option(help: ArgumentHelp("The columns, in this order, with commas between.", valueName: "names"))
    var columns: String?

    @Flag(help: "Print CSV with exact numbers, and with times in UTC.")
    var csv = false

    @Flag(help: "Show times in UTC instead of ages. CSV and JSON always have them so.")
    var utc = false

    func validate() throws {
        if let wrong = filters.first(where: { !$0.contains("=") }) {
            throw ValidationError("--filter takes COLUMN=VALUE, not '\(wrong)'")
        }
        if let sort, let order = sort.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last,
            order != "desc" && order != "asc"
        {
            throw ValidationError("--sort takes a column, and :desc or :asc behind it, not ':\(order)'")
        }
    }

    /// The request to the list.
    var request: ListRequest {
        var request = ListRequest()
        request.filters = filters.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return ListRequest.Filter(column: String(parts[0]), value: String(parts.last ?? ""))
        }
        let parts = sort?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        request.sorting = parts.first.map(String.init)
        request.isDescending = parts.dropFirst().first == "desc"
        request.columns = columns?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return request
    }

    /// Checks the options before the farm is asked.
    /// - Throws: `CommandFailure` that names the columns where one is not known.
    func check<Item>(_ table: ListTable<Item>, _ farm: FarmOptions) throws {
        if farm.json, csv { throw CommandFailure("--json and --csv exclude each other", status: ExitStatus.usage) }
        if farm.json, columns != nil {
            throw CommandFailure(
                "--columns goes with tables and --csv; --json prints whole records", status: ExitStatus.usage)
        }
        if let fault = table.fault(of: request) { throw CommandFailure(fault, status: ExitStatus.usage) }
    }

    /// The values that filters ask for in a column.
    private func values(_ column: String) -> [String] { request.filters.filter { $0.column == column }.map(\.value) }

    /// The one value that filters and another option ask for in a column which the farm filters by.
    /// - Parameters:
    ///   - option: the value of the other option.
    ///   - known: the values that the column has, for the message; nil where they cannot be listed.
    ///   - read: reads a value; nil where it is none.
    func asked<Value: Equatable>(
        _ column: String, option: Value?, known: [String]? = nil, _ read: (String) -> Value?
    ) throws -> Value? {
        var asked = option
        for text in values(column) {
            guard let value = read(text) else {
                let names = known.map { "; there are \($0.joined(separator: ", "))" } ?? ""
                throw CommandFailure("--filter \(column)=\(text): there is no such \(column)\(names)", status: ExitStatus.usage)
            }
            if let other = asked, other != value {
                throw CommandFailure(
                    "no line has two values in the column '\(column)'; ask for one", status: ExitStatus.usage)
            }
            asked = value
        }
        return asked
    }

    /// Whether lines match; nil where all do.
    /// - Parameter columns: columns by which the farm filters already.
    func matcher<Item>(_ table: ListTable<Item>, besides columns: [String] = []) -> ((Item) -> Bool)? {
        let filters = request.filters.filter { !columns.contains($0.column) }
        return filters.isEmpty ? nil : { table.matches($0, filters) }
    }

    /// How many lines to ask the farm for; nil for all, which sorting needs.
    func limit(_ limit: Int) -> Int? { sort == nil ? limit : nil }
}

extension FarmOptions {
    /// Prints lines that match as a table, as CSV or as JSON, sorted.
    /// - Parameter limit: how many are printed at most.
    func list<Item: Encodable>(_ items: [Item], _ table: ListTable<Item>, _ options: ListOptions, limit: Int? = nil) throws {
        let request = options.request
        let sorted = table.sorted(items, request)
        let shown = limit.map { Array(sorted.prefix($0)) } ?? sorted
        if json { return try Terminal.printFarmJSON(shown) }
        Terminal.print(lines: options.csv ? table.csv(shown, request) : table.table(shown, request))
    }
}

extension ListValue {
    /// - Parameters:
    ///   - now: the time from which the age counts.
    ///   - isUTC: whether people are shown the time instead of the age.
    static func time(_ time: Date?, at now: Date, isUTC: Bool) -> ListValue {
        guard let time else { return .missing }
        let text = FarmJSON.text(time)
        // A later time is a lesser age, and the order is the same in both forms.
        return ListValue(
            shown: isUTC ? text : Phrase.age(time, at: now), exact: text, number: -time.timeIntervalSince1970,
            isKnownAsShown: isUTC)
    }

    static func seconds(_ seconds: Double?) -> ListValue {
        guard let seconds else { return .missing }
        return ListValue(shown: Phrase.seconds(seconds), exact: "\(seconds)", number: seconds)
    }

    static func text(_ text: String?) -> ListValue { text.map { ListValue(shown: $0, exact: $0) } ?? .missing }

    static func number(_ number: Int?) -> ListValue { number.map { .number($0, shown: nil) } ?? .missing }

    static func bytes(_ bytes: Int64?) -> ListValue { bytes.map { .number($0, shown: Phrase.bytes($0)) } ?? .missing }
}
