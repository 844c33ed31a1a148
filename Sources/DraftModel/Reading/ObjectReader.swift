import ExactTime
import Vocabulary

/// Reads the fields of one JSON object by name, checks their types and ranges, and reports every fault with its path.
///
/// Each accessor returns nil for an absent or faulty field, after reporting the fault, so that reading continues to the
/// end. `finish()` reports the fields that no accessor asked for. Faults are reported in the order of reading.
struct ObjectReader {
    let path: String
    private let members: [String: JSONValue]
    private let collector: DiagnosticCollector
    /// The names that accessors have asked for, in that order; some of them more than once.
    private var known: [String] = []
    /// Whether all fields are taken for known.
    private var ignoresTheRest = false

    /// - Returns: nil if the value is not an object, after reporting that.
    init?(_ value: JSONValue, path: String, collector: DiagnosticCollector) {
        guard case .object(let members) = value else {
            collector.report(path, .wrongType, "must be an object, not \(value.kind)")
            return nil
        }
        self.members = members
        // Most kinds of objects have about so many fields.
        known.reserveCapacity(32)
        self.path = path
        self.collector = collector
    }

    /// The field's path inside the document.
    func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func report(_ name: String, _ code: DraftDiagnostic.Code, _ message: String) {
        collector.report(path(of: name), code, message)
    }

    /// Whether the object has a field of this name, whatever its value.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Whether further errors are only counted.
    var isFull: Bool { collector.isFull }

    /// Reports a fault of the object itself.
    func reportObject(_ code: DraftDiagnostic.Code, _ message: String) { collector.report(path, code, message) }

    // MARK: Single values

    /// The raw field; nil if it is absent, `null` or already reported as faulty.
    mutating func value(_ name: String) -> JSONValue? {
        known.append(name)
        collector.note(name, of: path)
        guard let value = members[name], value != .null, value != .faulty else { return nil }
        return value
    }

    /// Reports an absent required field. A field that is present but faulty was already reported.
    private func reportMissing(_ name: String, _ required: Bool) {
        if required, members[name] != .faulty { report(name, .missingField, "is required") }
    }

    /// - Parameter atMost: bytes of UTF-8.
    mutating func string(_ name: String, required: Bool = false, atMost: Int = DraftLimits.nameBytes) -> String? {
        guard let text = read(name, required, "a string", { $0.text }) else { return nil }
        return checked(text, name, atMost) ? text : nil
    }

    /// Reports a text that is too long or contains NUL, which files and databases do not accept.
    func checked(_ text: String, _ name: String, _ limit: Int) -> Bool {
        if text.utf8.count > limit {
            report(name, .outOfRange, "may have \(limit) bytes, not \(text.utf8.count)")
        } else if text.utf8.contains(0) {
            report(name, .invalidValue, "has a NUL character, which is not allowed")
        } else {
            return true
        }
        return false
    }

    /// Reads the location of a source: a text that is not blank.
    mutating func location(_ name: String, required: Bool = false) -> String? {
        guard let text = string(name, required: required, atMost: DraftLimits.dataBytes) else { return nil }
        let isData = text.prefix(5).lowercased() == "data:"
        guard isData || checked(text, name, DraftLimits.urlBytes) else { return nil }
        guard text.allSatisfy(\.isWhitespace) else { return text }
        if case .filledIn = members[name] {
            report(
                name, .invalidValue,
                "is empty, because the value of its merge field is empty; give the merge field the location of a file")
        } else {
            report(name, .invalidValue, "is empty; give the location of a file")
        }
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        read(name, false, "true or false") {
            switch $0 {
            case .bool(let value): value
            case .filledIn("true"): true
            case .filledIn("false"): false
            default: nil
            }
        }
    }

    /// Reads a number, or a number as text (`"30"`, `"30000/1001"`).
    mutating func rational(_ name: String, in range: ClosedRange<Rational>, required: Bool = false) -> Rational? {
        let number = read(name, required, "a number or \"num/den\"") { value in
            value.number ?? value.text.flatMap { Rational(text: $0) }
        }
        guard let value = number else { return nil }
        return within(range, value, name)
    }

    mutating func double(_ name: String, in range: ClosedRange<Double>, required: Bool = false) -> Double? {
        guard let value = read(name, required, "a number", { $0.double }) else { return nil }
        guard range.contains(value) else {
            let written = members[name]?.described ?? "\(value)"
            report(
                name, .outOfRange,
                "must be \(range.shortText), not \(value.isFinite ? value.shortText : written)")
            return nil
        }
        return value
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>, required: Bool = false) -> Int? {
        let whole = read(name, required, "a whole number") { value in
            value.number.flatMap { $0.denominator == 1 ? Int($0.numerator) : nil }
        }
        guard let whole else { return nil }
        guard range.contains(whole) else {
            report(name, .outOfRange, "must be \(range.lowerBound)...\(range.upperBound), not \(whole)")
            return nil
        }
        return whole
    }

    /// Reads a time: a number of seconds or `"num/den"`, with a magnitude of at most 1 000 000 s (11 days).
    mutating func time(_ name: String, atLeast minimum: MediaTime? = nil, above: MediaTime? = nil, required: Bool = false)
        -> MediaTime?
    {
        let seconds = read(name, required, "a time: a number of seconds or \"num/den\"") { $0.exactNumber }
        guard let seconds else { return nil }
        let time = MediaTime(seconds)
        let limit = MediaTime(seconds: 1_000_000)
        if time > limit || time < -limit {
            report(name, .outOfRange, "must be within 1000000 s, not \(time)")
        } else if let minimum, time < minimum {
            report(name, .outOfRange, "must be at least \(minimum) s, not \(time)")
        } else if let above, time <= above {
            report(name, .outOfRange, "must be above \(above) s, not \(time)")
        } else {
            return time
        }
        return nil
    }

    /// Reads one of a closed list of names.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type, required: Bool = false
    ) -> Choice? where Choice.RawValue == String {
        guard let text = string(name, required: required) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let suggestion = suggestion(text, names)
        report(name, .invalidValue, "'\(text)' is not one of \(names.joined(separator: ", "))\(suggestion)")
        return nil
    }

    /// Reads the kind of an object, which decides its other fields. Without a valid kind the rest of the object is not
    /// checked.
    /// - Parameters:
    ///   - what: the noun for messages, as in "effect".
    ///   - later: kinds of the specification that this version cannot render.
    mutating func kind<Kind: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Kind.Type, of what: String, later: [String]
    ) -> Kind? where Kind.RawValue == String {
        if let text = value(name)?.text, later.contains(text) {
            report(name, .unsupported, "the \(what) '\(text)' cannot be rendered by this version")
        } else if let kind = choice(name, type, required: true) {
            return kind
        }
        ignoreTheRest()
        return nil
    }

    /// Marks every field as known, so that an object without a valid kind is not checked any further.
    mutating func ignoreTheRest() { ignoresTheRest = true }

    // MARK: Nested values

    /// Reads an object field with `body`.
    mutating func object<Result>(_ name: String, required: Bool = false, _ body: (inout ObjectReader) -> Result?) -> Result? {
        guard let value = value(name) else {
            reportMissing(name, required)
            return nil
        }
        guard var reader = ObjectReader(value, path: path(of: name), collector: collector) else { return nil }
        let result = body(&reader)
        reader.finish()
        return result
    }

    /// Reads an array field with `element` for each element. Faulty elements are reported and left out, and those that
    /// their conditions removed are passed over.
    /// - Parameter atMost: the greatest number of elements. A longer array is not read.
    mutating func array<Element>(
        _ name: String, required: Bool = false, atMost: Int, _ element: (inout ObjectReader) -> Element?
    ) -> [Element]? {
        guard let value = value(name) else {
            reportMissing(name, required)
            return nil
        }
        guard case .array(let elements) = value else {
            report(name, .wrongType, "must be an array, not \(value.kind)")
            return nil
        }
        guard isWithin(atMost, elements.count, name) else { return nil }
        return elements.enumerated().compactMap { index, value in
            if case .removed = value { return nil }
            let place = "\(path(of: name))[\(index)]"
            guard var reader = ObjectReader(value, path: place, collector: collector) else { return nil }
            let result = element(&reader)
            reader.finish()
            return result
        }
    }

    /// The indexes of an array's elements in the document, without those that conditions removed.
    func keptIndexes(of name: String) -> [Int] {
        guard case .array(let elements)? = members[name] else { return [] }
        return elements.indices.filter { index in
            if case .removed = elements[index] { false } else { true }
        }
    }

    /// Reports an array or object with more entries than allowed.
    func isWithin(_ limit: Int, _ count: Int, _ name: String) -> Bool {
        if count > limit { report(name, .outOfRange, "may have \(limit) entries, not \(count)") }
        return count <= limit
    }

    /// Adds to a total over the whole document. If the limit is exceeded, it reports this object or a field of it.
    func count(_ total: DiagnosticCollector.Total, _ number: Int = 1, at name: String? = nil) -> Bool {
        collector.count(total, number, at: name.map { self.path(of: $0) } ?? path)
    }

    /// Reads the content of a group or mask.
    /// - Returns: nil if groups and masks are nested too deeply, after reporting that at the field.
    mutating func nested<Result>(_ name: String, _ body: (inout ObjectReader) -> Result?) -> Result? {
        guard value(name) == nil || collector.nesting < DraftLimits.nesting else {
            report(name, .outOfRange, "groups and masks may be nested at most \(DraftLimits.nesting) deep")
            return nil
        }
        collector.nesting += 1
        defer { collector.nesting -= 1 }
        return body(&self)
    }

    /// Checks a field of the specification that this version cannot render. Any value but a neutral one is reported.
    mutating func unsupported(_ name: String, _ what: String, neutral: [JSONValue] = [.array([]), .object([:])]) {
        guard let value = value(name), !neutral.contains(value) else { return }
        report(name, .unsupported, "\(what) cannot be rendered by this version; leave the field out")
    }

    /// The fields that no accessor has asked for so far, in alphabetical order.
    var unreadNames: [String] { ignoresTheRest ? [] : members.keys.filter { !known.contains($0) }.sorted() }

    /// Reports every field that no accessor has asked for.
    func finish() {
        for name in unreadNames {
            collector.report(
                path(of: name), .unknownField, "is not a known field\(suggestion(name, known))")
        }
    }

    // MARK: Checks

    private mutating func read<Value>(
        _ name: String, _ required: Bool, _ expected: String, _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = value(name) else {
            reportMissing(name, required)
            return nil
        }
        guard let converted = convert(value) else {
            if value.isBeyondRange {
                report(name, .outOfRange, "must be \(expected); \(value.described) needs more than 64 bits")
            } else {
                report(name, .wrongType, "must be \(expected), not \(value.described)")
            }
            return nil
        }
        return converted
    }

    private func within(_ range: ClosedRange<Rational>, _ value: Rational, _ name: String) -> Rational? {
        guard range.contains(value) else {
            report(name, .outOfRange, "must be \(range.lowerBound)...\(range.upperBound), not \(value)")
            return nil
        }
        return value
    }

    /// A suggestion for a misspelt name, as the end of a message; empty if the message would only be counted.
    private func suggestion(_ name: String, _ known: [String]) -> String {
        collector.isFull ? "" : nearestName(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
    }
}

extension JSONValue {
    /// A number, or text of the form `num/den`.
    fileprivate var exactNumber: Rational? {
        switch self {
        case .string(let text): text.utf8.contains(UInt8(ascii: "/")) ? Rational(text: text) : nil
        default: number
        }
    }

    /// The value itself if it is short enough to quote; otherwise its beginning or its kind.
    fileprivate var described: String {
        switch self {
        case .string(let text), .filledIn(let text): "\"\(text.prefix(40))\""
        case .number(let value): value.text.count > 40 ? "\(value.text.prefix(40))..." : value.text
        default: kind
        }
    }
}
