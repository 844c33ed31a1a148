/// One caption: when it is seen, and its text in libass's syntax.
struct Cue: Sendable, Equatable {
    /// The start in milliseconds of the file's time; `end` has the same unit.
    var start: Int64
    var end: Int64
    /// The text with override tags for bold, italic, underlined, struck out and coloured parts.
    var text: String
    /// The position as a digit of a number pad, 1...9, where the text itself gives it (`{\\an8}`).
    var alignment: Int?
    /// The position given by the cue's settings, if there are any.
    var placement: CuePlacement?
}

/// When a cue is seen: `00:00:01,500 --> 00:00:04,000`, followed by optional settings.
struct CueTiming: Equatable {
    /// The start in milliseconds; `end` has the same unit.
    var start: Int64
    var end: Int64
    /// The text after the times.
    var settings: Substring

    /// - Returns: nil when the line does not begin with a time range.
    init?(_ line: Substring) {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        let after = line[arrow.upperBound...].trimmed
        let ending = after.prefix { $0 != " " && $0 != "\t" }
        guard let start = CueTiming.milliseconds(line[..<arrow.lowerBound].trimmed),
            let end = CueTiming.milliseconds(ending)
        else { return nil }
        (self.start, self.end) = (start, end)
        settings = after[ending.endIndex...].trimmed
    }

    /// Whether a line is meant to be a time range; an arrow within a text is not.
    static func looksLikeOne(_ line: Substring) -> Bool {
        line.trimmed.first?.isASCIIDigit == true && line.contains("-->")
    }

    /// The milliseconds of a time such as `1:02:03,450` or `02:03.450`; the fraction may be missing or shorter.
    private static func milliseconds(_ text: Substring) -> Int64? {
        let halves = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard halves.count == 1 || halves.count == 2 else { return nil }
        let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? String(halves[1]) : "0"
        let isPlain = (fields.map(String.init) + [fraction]).allSatisfy { $0.allSatisfy(\.isASCIIDigit) && !$0.isEmpty }
        guard isPlain, (2...3).contains(fields.count), fields.allSatisfy({ $0.count <= 5 }), fraction.count <= 3,
            let thousandths = Int64((fraction + "00").prefix(3))
        else { return nil }
        let numbers = fields.compactMap { Int64($0) }
        guard numbers.suffix(2).allSatisfy({ $0 < 60 }) else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 } * 1000 + thousandths
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
