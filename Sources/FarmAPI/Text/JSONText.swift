package import FoundationEssentials

/// The text of a JSON document with the positions of its values. A value can be read or replaced while all other bytes
/// stay the same.
///
/// This type distinguishes only strings and brackets and does not validate the document; callers parse it before or
/// afterwards. In text that is not JSON it finds nothing, or something that is not JSON either.
package struct JSONText: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ data: Data) {
        bytes = [UInt8](data)
    }

    package var data: Data { Data(bytes) }

    /// The value at a path such as `mainTrackClips[2].url`. When a name occurs twice, the last one counts.
    package func value(at path: String) -> Range<Int>? { values(at: [path])[path] }

    /// The values at paths such as `mainTrackClips[2].url`, by path, without those that there are not. The document is
    /// read once. When a name occurs twice, the last one counts.
    package func values(at paths: [String]) -> [String: Range<Int>] {
        guard !paths.isEmpty, let whole = value(from: 0) else { return [:] }
        var wanted = WantedValues()
        for path in paths { wanted.add(path, JSONText.steps(path)[...]) }
        var found: [String: Range<Int>] = [:]
        find(wanted, in: whole, &found)
        return found
    }

    private func find(_ wanted: WantedValues, in place: Range<Int>, _ found: inout [String: Range<Int>]) {
        if let path = wanted.path { found[path] = place }
        if !wanted.members.isEmpty {
            let values = Dictionary(members(of: place).map { ($0.name, $0.value) }) { _, last in last }
            for (name, further) in wanted.members {
                if let value = values[name] { find(further, in: value, &found) }
            }
        }
        if !wanted.elements.isEmpty {
            for (index, value) in elements(of: place).enumerated() {
                if let further = wanted.elements[index] { find(further, in: value, &found) }
            }
        }
    }

    /// Every member with this name anywhere in the document: its path, in the form that `value(at:)` takes, and its
    /// value.
    /// - Parameter others: fields of the document that are not searched.
    package func members(named name: String, outsideOf others: Set<String> = []) -> [(path: String, value: Range<Int>)] {
        guard let whole = value(from: 0) else { return [] }
        return members(of: whole).filter { !others.contains($0.name) }.flatMap { member in
            (member.name == name ? [(member.name, member.value)] : []) + members(named: name, in: member.value, at: member.name)
        }
    }

    private func members(named name: String, in value: Range<Int>, at path: String) -> [(path: String, value: Range<Int>)] {
        let inside =
            members(of: value).map { (path: "\(path).\($0.name)", value: $0.value, isWanted: $0.name == name) }
            + elements(of: value).enumerated().map { (path: "\(path)[\($0)]", value: $1, isWanted: false) }
        return inside.flatMap { part in
            (part.isWanted ? [(part.path, part.value)] : []) + members(named: name, in: part.value, at: part.path)
        }
    }

    /// The names of the document's own fields, in order; nil when it is not an object.
    package var fieldNames: [String]? {
        guard let whole = value(from: 0), bytes[whole.lowerBound] == UInt8(ascii: "{") else { return nil }
        return members(of: whole).map(\.name)
    }

    /// The text in a range.
    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The document with other values in these ranges.
    package func replacing(_ replacements: [(range: Range<Int>, text: String)]) -> JSONText {
        var result: [UInt8] = []
        var copied = 0
        for (range, text) in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[copied..<range.lowerBound]
            result += Array(text.utf8)
            copied = range.upperBound
        }
        result += bytes[copied...]
        return JSONText(Data(result))
    }

    /// The document with one more member at its front. The document must be an object that has members.
    package func adding(_ name: String, _ value: String) -> JSONText {
        guard let whole = self.value(from: 0), bytes[whole.lowerBound] == UInt8(ascii: "{") else { return self }
        let place = whole.lowerBound + 1
        return replacing([(place..<place, "\"\(name)\": \(value), ")])
    }

    // MARK: Places

    private enum Step {
        case member(String)
        case element(Int)
    }

    /// The paths that are looked for below a value.
    private struct WantedValues {
        /// The path of the value itself, where it is looked for.
        var path: String?
        var members: [String: WantedValues] = [:]
        var elements: [Int: WantedValues] = [:]

        mutating func add(_ path: String, _ steps: ArraySlice<Step>) {
            switch steps.first {
            case nil: self.path = path
            case .member(let name): members[name, default: WantedValues()].add(path, steps.dropFirst())
            case .element(let index): elements[index, default: WantedValues()].add(path, steps.dropFirst())
            }
        }
    }

    private static func steps(_ path: String) -> [Step] {
        path.split(separator: ".").flatMap { part -> [Step] in
            let names = part.split(separator: "[")
            return names.enumerated().map { index, name in
                if name.last == "]", let number = Int(name.dropLast()), index > 0 || part.first == "[" {
                    return .element(number)
                }
                return .member(String(name))
            }
        }
    }

    private func members(of object: Range<Int>) -> [(name: String, value: Range<Int>)] {
        guard bytes[object.lowerBound] == UInt8(ascii: "{") else { return [] }
        var found: [(name: String, value: Range<Int>)] = []
        var position = object.lowerBound + 1
        while let name = value(from: position), bytes[name.lowerBound] == UInt8(ascii: "\""),
            name.upperBound < object.upperBound
        {
            let colon = afterSpace(name.upperBound)
            guard colon < object.upperBound, let value = value(from: colon + 1) else { break }
            // A name that is not a valid JSON string is skipped.
            if let text = string(name) { found.append((text, value)) }
            position = afterSpace(value.upperBound)
            guard position < object.upperBound, bytes[position] == UInt8(ascii: ",") else { break }
            position += 1
        }
        return found
    }

    /// The text of a JSON string with its quotes; nil where it is no valid JSON string.
    private func string(_ range: Range<Int>) -> String? {
        let isPlain = { (byte: UInt8) in (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\") }
        let content = bytes[range].dropFirst().dropLast()
        if content.allSatisfy(isPlain) { return String(decoding: content, as: UTF8.self) }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[range]))
    }

    private func elements(of array: Range<Int>) -> [Range<Int>] {
        guard bytes[array.lowerBound] == UInt8(ascii: "[") else { return [] }
        var found: [Range<Int>] = []
        var position = array.lowerBound + 1
        while let value = value(from: position), !value.isEmpty, value.upperBound < array.upperBound {
            found.append(value)
            position = afterSpace(value.upperBound)
            guard position < array.upperBound, bytes[position] == UInt8(ascii: ",") else { break }
            position += 1
        }
        return found
    }

    // MARK: Bytes

    private func afterSpace(_ start: Int) -> Int {
        var position = start
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        return position
    }

    /// The value that begins at or after a position; nil where the text ends within it.
    private func value(from start: Int) -> Range<Int>? {
        let begin = afterSpace(start)
        guard begin < bytes.count else { return nil }
        var position = begin
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(position) else { return nil }
                position = end
                if depth == 0 { return begin..<position }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position > begin ? begin..<position : nil }
                depth -= 1
                position += 1
                if depth == 0 { return begin..<position }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return position > begin ? begin..<position : nil }
                position += 1
            default:
                position += 1
            }
        }
        return depth == 0 ? begin..<position : nil
    }

    private func endOfString(_ quote: Int) -> Int? {
        var position = quote + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return position + 1
            default: position += 1
            }
        }
        return nil
    }
}

extension JSONText {
    /// Refuses unknown fields of the document's object, so that a typing error is reported and not overlooked.
    /// - Throws: `RequestFault` `badRequest` when the document has a field that is not among `known`.
    package func checkFields(against known: Set<String>) throws {
        for name in fieldNames ?? [] where !known.contains(name) {
            let names = known.sorted().joined(separator: ", ")
            throw RequestFault(.badRequest, "the body has an unknown field '\(name)'; known are \(names)")
        }
    }
}
