public import ExactTime
public import Vocabulary

/// How a text comes in: its characters, words or lines one after the other, from the values that are given here to their places.
public struct TextAnimationStyle: Hashable, Sendable, Encodable {
    public var unit: TextUnit
    /// Seconds from one unit to the next; 0.05 by default.
    public var delay: MediaTime?
    /// Seconds that a unit takes; 0.4 by default.
    public var duration: MediaTime?
    /// `easeOut` by default.
    public var timingFunction: TimingFunction?
    /// 0...1; 0 by default.
    public var opacity: Double?
    /// Pixels of `videoSize`, to the right and down; none by default.
    public var offset: Transform.Pair?
    /// 0...100; 1 by default.
    public var scale: Double?
    /// Degrees clockwise; 0 by default.
    public var rotation: Double?

    public init(unit: TextUnit) {
        self.unit = unit
    }
}

extension TextAnimationStyle {
    init?(_ reader: inout ObjectReader) {
        let unit = reader.choice("unit", TextUnit.self, required: true)
        delay = reader.time("delay", atLeast: .zero)
        duration = reader.time("duration", above: .zero)
        timingFunction = reader.timingFunction("timingFunction")
        opacity = reader.double("opacity", in: 0...1)
        offset = reader.object("offset") { offset in
            Transform.Pair(x: offset.double("x", in: -16_384...16_384), y: offset.double("y", in: -16_384...16_384))
        }
        scale = reader.double("scale", in: 0...100)
        rotation = reader.double("rotation", in: -36_000...36_000)
        guard let unit else { return nil }
        self.unit = unit
    }
}
