/// Replaces `{{name}}` in every string of a draft by values from its `parameters` and from those given at export.
///
/// A string that consists of one merge field becomes the value itself, so that a number stays a number. In a longer
/// string the value is written as text. It reports every name without a value, and every given value whose name the
/// draft neither uses nor declares.
func fillInParameters(_ document: JSONValue, overrides: [String: String], collector: DiagnosticCollector) -> JSONValue {
    guard case .object(var members) = document else { return document }
    var values: [String: JSONValue] = [:]
    if let declared = members["parameters"], declared != .null {
        if case .object(let map) = declared {
            values = map
        } else {
            collector.report("parameters", .wrongType, "must be an object, not \(declared.kind)")
        }
    }
    if values.count > DraftLimits.parameters {
        collector.report(
            "parameters", .outOfRange, "may have \(DraftLimits.parameters) entries, not \(values.count)")
        return .object(members)
    }
    let declaredNames = Set(values.keys)
    for (name, text) in overrides { values[name] = .filledIn(text) }
    var filler = MergeFieldFiller(values: values, collector: collector)
    for name in members.keys.sorted() where name != "parameters" {
        members[name] = members[name].map { filler.fill($0, [.member(name)]) }
    }
    for name in overrides.keys.sorted() where !filler.used.contains(name) && !declaredNames.contains(name) {
        collector.report("parameters.\(name)", .unknownParameter, "a value was given, but the draft has no {{\(name)}}")
    }
    return .object(members)
}

private struct MergeFieldFiller {
    let values: [String: JSONValue]
    let collector: DiagnosticCollector
    var used: Set<String> = []
    /// The bytes that merge fields may still add.
    private var room = DraftLimits.filledInBytes
    /// A cache of the lengths of values in bytes.
    private var lengths: [String: Int] = [:]

    init(values: [String: JSONValue], collector: DiagnosticCollector) {
        self.values = values
        self.collector = collector
    }

    /// A step into the document. Paths are only built for reports.
    enum Step {
        case member(String)
        case element(Int)
    }

    mutating func fill(_ value: JSONValue, _ place: [Step]) -> JSONValue {
        switch value {
        case .object(let members):
            var filled = members
            for (name, member) in members.sorted(by: { $0.key < $1.key }) where member.mayHoldFields {
                filled[name] = fill(member, place + [.member(name)])
            }
            return .object(filled)
        case .array(var elements):
            for index in elements.indices where elements[index].mayHoldFields {
                elements[index] = fill(elements[index], place + [.element(index)])
            }
            return .array(elements)
        case .string(let text) where text.contains("{{"):
            return fill(text, place)
        default:
            return value
        }
    }

    private func path(_ place: [Step]) -> String {
        place.reduce(into: "") { path, step in
            switch step {
            case .member(let name): path += path.isEmpty ? name : ".\(name)"
            case .element(let index): path += "[\(index)]"
            }
        }
    }

    /// Subtracts the length of a value from `room`, and reports the place at which the room is used up.
    /// - Returns: whether there was enough room.
    private mutating func takeRoom(for name: String, _ value: JSONValue, _ place: [Step]) -> Bool {
        let length = lengths[name] ?? value.length
        lengths[name] = length
        guard room >= 0 else { return false }
        room -= length
        if room < 0 {
            let limit = DraftLimits.filledInBytes
            collector.report(path(place), .outOfRange, "merge fields make the draft more than \(limit) bytes longer")
        }
        return room >= 0
    }

    private mutating func fill(_ text: String, _ place: [Step]) -> JSONValue {
        var result = ""
        var rest = Substring(text)
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
            let name = String(rest[open.upperBound..<close.lowerBound]).trimmedSpaces
            used.insert(name)
            guard let value = values[name] else {
                let shown = name.prefix(DraftLimits.nameBytes)
                collector.report(
                    path(place), .missingParameter, "the merge field {{\(shown)}} has no value; give --param \(shown)=...")
                return .faulty
            }
            guard takeRoom(for: name, value, place) else { return .faulty }
            if open.lowerBound == text.startIndex, close.upperBound == text.endIndex { return value }
            result += rest[..<open.lowerBound] + value.writtenOut
            rest = rest[close.upperBound...]
        }
        return .filledIn(result + rest)
    }
}

extension JSONValue {
    /// Whether the value can contain merge fields.
    fileprivate var mayHoldFields: Bool {
        switch self {
        case .object, .array, .string: true
        case .null, .bool, .number, .filledIn, .faulty: false
        }
    }

    /// The approximate number of bytes of the value as JSON.
    fileprivate var length: Int {
        switch self {
        case .null, .bool, .faulty: 4
        case .number(let value): value.text.utf8.count
        case .string(let text), .filledIn(let text): text.utf8.count
        case .array(let elements): elements.reduce(2) { $0 + $1.length + 1 }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.length + 4 }
        }
    }

    fileprivate var writtenOut: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): value.text
        case .string(let text), .filledIn(let text): text
        case .null, .array, .object, .faulty: ""
        }
    }
}

extension String {
    fileprivate var trimmedSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Substring {
    /// The range of the first occurrence of `pattern`; nil if there is none.
    fileprivate func range(of pattern: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(pattern) { return start..<index(start, offsetBy: pattern.count) }
            start = index(after: start)
        }
        return nil
    }
}
