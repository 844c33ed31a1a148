/// One number of an operation: what it is called, what it may be, and what it means. Validation, `spool operations` and
/// the documentation read it; the operation itself reads only the value.
public struct OperationParameter: Sendable, Equatable, Encodable {
    public var name: String
    /// What a draft that leaves it out gets.
    public var `default`: Double
    /// The value at which the parameter changes nothing, or nil where it only shapes what another does.
    public var neutral: Double?
    /// What may be written, both ends included.
    public var range: ClosedRange<Double>
    /// `factor`, `degrees`, `pixels`, ...
    public var unit: String
    /// What it does, as a phrase.
    public var meaning: String

    init(
        _ name: String, default defaultValue: Double, neutral: Double? = nil, in range: ClosedRange<Double>, unit: String,
        _ meaning: String
    ) {
        self.name = name
        self.default = defaultValue
        self.neutral = neutral
        self.range = range
        self.unit = unit
        self.meaning = meaning
    }

    /// Whether it is measured in pixels of the draft's `videoSize`, and grows with the picture.
    var isLength: Bool { unit == "pixels" }

    /// A value of a curve, which may overshoot, within what the operation can do: its range, but for lengths, which a large
    /// film or source multiplies. What is not a number is the default.
    func limit(_ value: Double) -> Double {
        guard !value.isNaN else { return `default` }
        guard isLength else { return min(range.upperBound, max(range.lowerBound, value)) }
        return min(range.upperBound * 16, max(0, value))
    }

    private enum CodingKeys: String, CodingKey { case name, `default`, neutral, minimum, maximum, unit, meaning }

    /// `range` is written as `minimum` and `maximum`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(`default`, forKey: .default)
        try container.encodeIfPresent(neutral, forKey: .neutral)
        try container.encode(range.lowerBound, forKey: .minimum)
        try container.encode(range.upperBound, forKey: .maximum)
        try container.encode(unit, forKey: .unit)
        try container.encode(meaning, forKey: .meaning)
    }
}
