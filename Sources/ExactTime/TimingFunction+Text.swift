/// Reads and writes timing functions by name: `linear`, `hold`, `easeIn`, `easeOut`, `easeInOut`, `quadIn` ...
/// `bounceInOut`, or `cubicBezier(x1,y1,x2,y2)`.
///
/// Two other spellings are read as well: that of easings.net (`easeInQuad` ... `easeInOutBounce`), whose 30 curves are
/// Penner's, and that of CSS (`ease`, `ease-in`, `ease-out`, `ease-in-out`, `step-end`, `cubic-bezier(x1, y1, x2, y2)`;
/// CSS Easing Functions Level 1). They are written under the names above, and CSS's `ease` as a Bézier curve.
extension TimingFunction {
    /// All names under which functions are written, without `cubicBezier(...)`.
    package static let names = named.map(\.name)

    /// The names of easings.net and CSS that are only read.
    package static let alternativeNames = alternatives.map(\.name)

    private static let named: [(name: String, function: TimingFunction)] =
        [("linear", .linear), ("hold", .hold), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut)]
        + Family.allCases.flatMap { family in
            Direction.allCases.map { (family.rawValue + $0.rawValue, .penner(family, $0)) }
        }

    private static let alternatives: [(name: String, function: TimingFunction)] =
        [
            ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut), ("ease-in-out", .easeInOut),
            // The value jumps at the end of the interval, as with `hold`.
            ("step-end", .hold),
        ]
        + Family.allCases.flatMap { family in
            Direction.allCases.map { ("ease\($0.rawValue)\(family.capitalizedName)", .penner(family, $0)) }
        }

    private static let functions = Dictionary(
        (named + alternatives).map { ($0.name, $0.function) }, uniquingKeysWith: { first, _ in first })

    /// - Returns: nil if the text is not a name, or a Bézier curve whose x values are outside 0...1.
    package init?(_ text: String) {
        if let function = TimingFunction.functions[text] {
            self = function
            return
        }
        guard let prefix = ["cubicBezier(", "cubic-bezier("].first(where: text.hasPrefix), text.hasSuffix(")") else { return nil }
        let parts = text.dropFirst(prefix.count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Double(part.trimmed) }
        guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite), (0...1).contains(numbers[0]),
            (0...1).contains(numbers[2])
        else { return nil }
        self = .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    }

    package var text: String {
        if let found = TimingFunction.named.first(where: { $0.function == self }) { return found.name }
        guard case .cubicBezier(let x1, let y1, let x2, let y2) = self else {
            preconditionFailure("every other timing function has a name")
        }
        return "cubicBezier(\(x1),\(y1),\(x2),\(y2))"
    }
}

extension TimingFunction: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let function = TimingFunction(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a timing function")
        }
        self = function
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension TimingFunction.Family {
    /// The name as easings.net writes it behind the direction, as in `easeInQuad`.
    fileprivate var capitalizedName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " }
        return start.last == " " ? start[...(start.lastIndex { $0 != " " } ?? start.startIndex)] : start
    }
}
