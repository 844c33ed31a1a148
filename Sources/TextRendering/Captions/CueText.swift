import ExportPlan

/// The text of a cue in libass's syntax. Its tags become override tags, its entities the characters that they stand
/// for, and characters that libass would read as syntax are escaped.
struct CueText {
    enum Dialect: Sendable {
        /// Unknown tags are text.
        case subRip
        /// Unknown tags are ignored.
        case webVTT
    }

    /// The text for libass.
    private(set) var markup = ""
    /// The position as a digit of a number pad, where the text gives it.
    private(set) var alignment: Int?
    private(set) var isEmpty = true
    private let dialect: Dialect
    private let source: [Unicode.Scalar]
    private var place = 0
    /// The open tags, the innermost one last.
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
        // libass has no escape for a backslash; an invisible word joiner separates it from the next letter.
        case "\\": markup += "\\\u{2060}"
        default: markup.unicodeScalars.append(scalar)
        }
        if !scalar.properties.isWhitespace { isEmpty = false }
    }

    /// The text from the current place to an end character; nil where it does not follow within the limit.
    private func scanned(to end: Unicode.Scalar, atMost limit: Int) -> String? {
        let rest = source[place...].dropFirst().prefix(limit)
        guard let last = rest.firstIndex(of: end) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source[(place + 1)..<last])
        return String(text)
    }

    // MARK: Tags

    private static let known: Set<String> = ["b", "i", "u", "s", "font", "c", "v", "lang", "ruby", "rt"]

    private mutating func takeTag() -> Bool {
        guard let tag = scanned(to: ">", atMost: 1000) else { return false }
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
        // The colour classes of WebVTT, section 5.1, which every player knows.
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

    /// Writes only the tags that change; a tag without a value restores the style's value.
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
        guard let name = scanned(to: ";", atMost: 12), let scalar = CueText.entity(name) else { return false }
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

    /// Reads an override block. `{\an8}`, which many SubRip files have, positions the cue; all other tags are ignored.
    private mutating func takeOverride() -> Bool {
        guard dialect == .subRip, let tags = scanned(to: "}", atMost: 200), tags.hasPrefix("\\") else { return false }
        place += tags.unicodeScalars.count + 2
        if let found = tags.firstRange(of: "\\an"), let digit = tags[found.upperBound...].first,
            let number = digit.wholeNumberValue, (1...9).contains(number)
        {
            alignment = number
        }
        return true
    }
}
