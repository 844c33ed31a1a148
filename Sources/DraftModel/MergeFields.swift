/// Fills `{{name}}` in every string of a draft from its `parameters` and from values given at export.
///
/// A string that is nothing but one merge field takes the value as it is, so a number may stand for a number; inside a
/// longer string the value is written out. Reports every name without a value, and every value given for a name that
/// the draft neither uses nor declares.
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
    let declaredNames = Set(values.keys)
    for (name, text) in overrides { values[name] = .filledIn(text) }
    var filler = MergeFieldFiller(values: values, collector: collector)
    for name in members.keys.sorted() where name != "parameters" {
        members[name] = members[name].map { filler.fill($0, path: name) }
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

    mutating func fill(_ value: JSONValue, path: String) -> JSONValue {
        switch value {
        case .object(var members):
            for name in members.keys.sorted() {
                members[name] = members[name].map { fill($0, path: "\(path).\(name)") }
            }
            return .object(members)
        case .array(var elements):
            for index in elements.indices { elements[index] = fill(elements[index], path: "\(path)[\(index)]") }
            return .array(elements)
        case .string(let text) where text.contains("{{"):
            return fill(text, path: path)
        default:
            return value
        }
    }

    private mutating func fill(_ text: String, path: String) -> JSONValue {
        var result = ""
        var rest = Substring(text)
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
            let name = String(rest[open.upperBound..<close.lowerBound]).trimmedSpaces
            used.insert(name)
            guard let value = values[name] else {
                collector.report(path, .missingParameter, "the merge field {{\(name)}} has no value; give --param \(name)=...")
                return .faulty
            }
            if open.lowerBound == text.startIndex, close.upperBound == text.endIndex { return value }
            result += rest[..<open.lowerBound] + value.writtenOut
            rest = rest[close.upperBound...]
        }
        return .filledIn(result + rest)
    }
}

extension JSONValue {
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
    /// The first place of `pattern`, or nil.
    fileprivate func range(of pattern: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(pattern) { return start..<index(start, offsetBy: pattern.count) }
            start = index(after: start)
        }
        return nil
    }
}
