/// Timing functions as drafts and plans write them: `linear`, `hold`, `easeIn`, `easeOut`, `easeInOut`, `quadIn` ... `bounceInOut`,
/// `cubicBezier(x1,y1,x2,y2)`.
extension TimingFunction {
    /// Every name but the free Bézier's.
    public static let names = named.map(\.name)

    private static let named: [(name: String, function: TimingFunction)] =
        [("linear", .linear), ("hold", .hold), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut)]
        + Family.allCases.flatMap { family in
            Direction.allCases.map { (family.rawValue + $0.rawValue, .penner(family, $0)) }
        }

    /// - Returns: nil when it is none of the names, or a Bézier whose x leave 0...1.
    public init?(_ text: String) {
        if let found = TimingFunction.named.first(where: { $0.name == text }) {
            self = found.function
            return
        }
        guard text.hasPrefix("cubicBezier("), text.hasSuffix(")") else { return nil }
        let parts = text.dropFirst("cubicBezier(".count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Double(part.drop { $0 == " " }) }
        guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite), (0...1).contains(numbers[0]),
            (0...1).contains(numbers[2])
        else { return nil }
        self = .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    }

    public var text: String {
        if let found = TimingFunction.named.first(where: { $0.function == self }) { return found.name }
        guard case .cubicBezier(let x1, let y1, let x2, let y2) = self else {
            preconditionFailure("every other timing function has a name")
        }
        return "cubicBezier(\(x1),\(y1),\(x2),\(y2))"
    }
}

extension TimingFunction: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let function = TimingFunction(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no timing function")
        }
        self = function
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
