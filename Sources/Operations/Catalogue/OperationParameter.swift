/// One number of an operation: its name, its permitted values and its meaning. Validation, `spool operations` and the
/// documentation read this. The operation itself reads only the value.
package struct OperationParameter: Sendable, Equatable, Encodable {
    package var name: String
    /// The value if a draft does not set the parameter.
    package var `default`: Double
    /// The value at which the parameter changes nothing. Nil if it only modifies the effect of another parameter.
    package var neutral: Double?
    /// The permitted values, both ends included.
    package var range: ClosedRange<Double>
    /// The unit, such as `factor`, `degrees` or `pixels`.
    package var unit: String
    /// What the parameter does, as a phrase.
    package var meaning: String

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

    /// Whether the parameter is in pixels of the draft's `videoSize` and therefore scales with the picture.
    var isLength: Bool { unit == "pixels" }

    /// Limits a value to what the operation can do, because an easing curve may overshoot. The limit is the parameter's
    /// range. Lengths may be up to 16 times the range's upper end, because they are multiplied for a large film or
    /// source. NaN becomes the default.
    func limit(_ value: Double) -> Double {
        guard !value.isNaN else { return `default` }
        guard isLength else { return min(range.upperBound, max(range.lowerBound, value)) }
        return min(range.upperBound * 16, max(0, value))
    }

    private enum CodingKeys: String, CodingKey { case name, `default`, neutral, minimum, maximum, unit, meaning }

    /// Encodes the description; `range` is written as `minimum` and `maximum`.
    package func encode(to encoder: any Encoder) throws {
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
