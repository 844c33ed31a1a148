/// Replaces `{{name}}` in every string of a draft by values from its `parameters` and from those given at export, and
/// removes what has a condition (`when`) that is false.
///
/// A string that consists of one merge field becomes the value itself, so that a number stays a number. In a longer
/// string the value is written as text. It reports every name without a value, and every given value whose name the
/// draft neither uses nor declares. The merge fields of removed elements need no values.
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
        members[name] = members[name].map { filler.fillMember(name, $0, []) }
    }
    for name in overrides.keys.sorted() where !filler.used.contains(name) && !declaredNames.contains(name) {
        collector.report(
            "parameters.\(name)", .unknownParameter,
            "a value was given, but the draft has no {{\(name)}}; leave the value out, or correct its name")
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
            for (name, member) in members.filter({ $1.mayHoldFields }).sorted(by: { $0.key < $1.key }) {
                filled[name] = fillMember(name, member, place)
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

    /// The arrays of a draft whose elements may have a condition. Layers are also in groups.
    private static let conditionalArrays: Set = ["mainTrackClips", "audioClips", "effects", "layers", "chapters"]

    /// Fills a member of the object at a place. Elements whose condition is false are removed before.
    mutating func fillMember(_ name: String, _ value: JSONValue, _ place: [Step]) -> JSONValue {
        let member = place + [.member(name)]
        guard case .array(let elements) = value, MergeFieldFiller.conditionalArrays.contains(name),
            place.isEmpty || name == "layers"
        else { return fill(value, member) }
        return fill(.array(withoutRemoved(elements, member)), member)
    }

    /// The elements without their conditions; an element whose condition is false is `removed`. An element whose
    /// condition cannot be evaluated stays, so that its other faults are found, too.
    ///
    /// A transition joins its clip with the one before it. Where conditions have removed all clips before a clip of the
    /// main track, there is nothing to join, and its transition goes with them.
    private mutating func withoutRemoved(_ elements: [JSONValue], _ array: [Step]) -> [JSONValue] {
        var result = elements
        var isFirst = true
        for index in elements.indices {
            guard case .object(var members) = elements[index] else {
                isFirst = false
                continue
            }
            if let condition = members.removeValue(forKey: "when") {
                guard holds(condition, array + [.element(index), .member("when")]) else {
                    result[index] = .removed
                    used.formUnion(elements[index].mergeFieldNames)
                    collector.removed.add(index, of: path(array))
                    continue
                }
            }
            if isFirst, index > 0, array.count == 1, path(array) == "mainTrackClips" { members["transition"] = nil }
            isFirst = false
            result[index] = .object(members)
        }
        return result
    }

    /// Whether a condition is true, or cannot be evaluated, which is reported.
    private mutating func holds(_ condition: JSONValue, _ place: [Step]) -> Bool {
        switch condition {
        case .null: return true
        case .bool(let value): return value
        case .string(let text): return holds(text, place)
        default:
            collector.report(
                path(place), .wrongType, "must be a condition as a string, or true or false, not \(condition.kind)")
            return true
        }
    }

    private mutating func holds(_ text: String, _ place: [Step]) -> Bool {
        do throws(ConditionFault) {
            let condition = try ConditionParser.parse(text)
            used.formUnion(condition.fieldNames)
            let missing = condition.fieldNames.filter { values[$0] == nil }
            for name in missing { reportMissing(name, place) }
            guard missing.isEmpty else { return true }
            let texts = condition.fieldNames.map { ($0, values[$0]?.writtenOut ?? "") }
            return try condition.isTrue(with: Dictionary(uniqueKeysWithValues: texts))
        } catch {
            used.formUnion(JSONValue.string(text).mergeFieldNames)
            collector.report(path(place), .invalidValue, "\(error.message) (at character \(error.place + 1))")
            return true
        }
    }

    private func reportMissing(_ name: String, _ place: [Step]) {
        let shown = name.prefix(DraftLimits.nameBytes)
        collector.report(
            path(place), .missingParameter, "the merge field {{\(shown)}} has no value; give --param \(shown)=...")
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
                reportMissing(name, place)
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
    /// Whether the value can contain merge fields or conditions.
    fileprivate var mayHoldFields: Bool {
        switch self {
        case .object(let members): members.contains { $0 == "when" || $1.mayHoldFields }
        case .array(let elements): elements.contains(where: \.mayHoldFields)
        case .string(let text): text.utf8.contains(UInt8(ascii: "{"))
        case .null, .bool, .number, .filledIn, .faulty, .removed: false
        }
    }

    /// The names of all merge fields in the value.
    var mergeFieldNames: Set<String> {
        var names: Set<String> = []
        collectMergeFields(into: &names)
        return names
    }

    private func collectMergeFields(into names: inout Set<String>) {
        switch self {
        case .object(let members):
            for member in members.values { member.collectMergeFields(into: &names) }
        case .array(let elements):
            for element in elements { element.collectMergeFields(into: &names) }
        case .string(let text) where text.contains("{{"):
            names.formUnion(MergeText(text).fieldNames)
        default: break
        }
    }

    /// The approximate number of bytes of the value as JSON.
    fileprivate var length: Int {
        switch self {
        case .null, .bool, .faulty, .removed: 4
        case .number(let value): value.text.utf8.count
        case .string(let text), .filledIn(let text): text.utf8.count
        case .array(let elements): elements.reduce(2) { $0 + $1.length + 1 }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.length + 4 }
        }
    }

    /// The value as a part of a longer text; empty for an array or an object.
    var writtenOut: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): value.text
        case .string(let text), .filledIn(let text): text
        case .null, .array, .object, .faulty, .removed: ""
        }
    }
}

extension String {
    /// The text without spaces at its ends.
    var trimmedSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Substring {
    /// The range of the first occurrence of `pattern`; nil if there is none.
    func range(of pattern: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(pattern) { return start..<index(start, offsetBy: pattern.count) }
            start = index(after: start)
        }
        return nil
    }
}
