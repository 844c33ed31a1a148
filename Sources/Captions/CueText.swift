import ExportPlan

/// The text of a cue: its tags become libass's override tags, its entities the characters that they stand for, and what libass
/// would take for its own tags is written so that it is seen.
struct CueText {
    enum Dialect: Sendable {
        /// Tags that nobody knows are text.
        case subRip
        /// Tags that nobody knows are passed over.
        case webVTT
    }

    /// For libass.
    private(set) var markup = ""
    /// As on a number pad, where the text says it.
    private(set) var alignment: Int?
    private(set) var isEmpty = true
    private let dialect: Dialect
    private let source: [Unicode.Scalar]
    private var place = 0
    /// Tags that are open, the innermost last.
    private var open: [(name: String, color: RGBAColor?)] = []

    init(_ text: String, _ dialect: Dialect) {
        self.dialect = dialect
        source = Array(text.unicodeScalars)
        while place < source.count {
            switch source[place] {
            case "<" where takeTag(), "&" where takeEntity(), "{" where takeOverride(): break
            case let scalar:
                append(scalar)
                place += 1
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\n": markup += "\\N"
        case "{": markup += "\\{"
        case "}": markup += "\\}"
        // libass has no other way to write it: the joiner, which is never seen, parts it from the letter behind it.
        case "\\": markup += "\\\u{2060}"
        default: markup.unicodeScalars.append(scalar)
        }
        if !scalar.properties.isWhitespace { isEmpty = false }
    }

    /// From the place on, up to an ending; nil where there is none nearby.
    private func piece(to end: Unicode.Scalar, atMost limit: Int) -> String? {
        let rest = source[place...].dropFirst().prefix(limit)
        guard let last = rest.firstIndex(of: end) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source[(place + 1)..<last])
        return String(text)
    }

    // MARK: Tags

    private static let known: Set<String> = ["b", "i", "u", "s", "font", "c", "v", "lang", "ruby", "rt"]

    private mutating func takeTag() -> Bool {
        guard let tag = piece(to: ">", atMost: 1000) else { return false }
        let isEnd = tag.hasPrefix("/")
        let name = tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "." && $0 != "/" }.lowercased()
        guard CueText.known.contains(name) || dialect == .webVTT else { return false }
        place += tag.unicodeScalars.count + 2
        let before = state
        if !isEnd {
            open.append((name, color(of: tag, name)))
        } else if let last = open.lastIndex(where: { $0.name == name }) {
            open.remove(at: last)
        }
        append(change: before, state)
        return true
    }

    private func color(of tag: String, _ name: String) -> RGBAColor? {
        if name == "font" {
            guard let start = tag.lowercased().firstRange(of: "color=") else { return nil }
            let value = tag.lowercased()[start.upperBound...].drop { "\"' ".contains($0) }.prefix { !"\"' >".contains($0) }
            return CaptionColor.named(String(value))
        }
        // WebVTT, section 5.1: classes that every player knows.
        guard name == "c" else { return nil }
        return tag.split(separator: ".").dropFirst().compactMap { CaptionColor.cueClasses[$0.lowercased()] }.last
    }

    private struct State {
        var flags: [Bool]
        var color: RGBAColor?
    }

    private static let flags = ["b", "i", "u", "s"]

    private var state: State {
        State(
            flags: CueText.flags.map { flag in open.contains { $0.name == flag } },
            color: open.last { $0.color != nil }?.color)
    }

    /// Only what changes is written; without a value a tag gives back what the style says.
    private mutating func append(change before: State, _ after: State) {
        var tags = ""
        for (index, name) in CueText.flags.enumerated() where before.flags[index] != after.flags[index] {
            tags += "\\\(name)" + (after.flags[index] ? "1" : "")
        }
        if before.color != after.color { tags += "\\1c" + (after.color.map { CaptionColor.script($0) } ?? "") }
        if !tags.isEmpty { markup += "{\(tags)}" }
    }

    // MARK: Entities and overrides

    private mutating func takeEntity() -> Bool {
        guard let name = piece(to: ";", atMost: 12), let scalar = CueText.entity(name) else { return false }
        place += name.unicodeScalars.count + 2
        append(scalar)
        return true
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "nbsp": "\u{A0}", "quot": "\"", "apos": "'", "lrm": "\u{200E}", "rlm": "\u{200F}",
    ]

    private static func entity(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return entities[name] }
        let digits = name.dropFirst()
        let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = value.flatMap(Unicode.Scalar.init), scalar.properties.generalCategory != .control else { return nil }
        return scalar
    }

    /// `{\an8}`, which many SubRip files have, places the cue; what else stands in such braces is passed over.
    private mutating func takeOverride() -> Bool {
        guard dialect == .subRip, let tags = piece(to: "}", atMost: 200), tags.hasPrefix("\\") else { return false }
        place += tags.unicodeScalars.count + 2
        if let found = tags.firstRange(of: "\\an"), let digit = tags[found.upperBound...].first,
            let number = digit.wholeNumberValue, (1...9).contains(number)
        {
            alignment = number
        }
        return true
    }
}
