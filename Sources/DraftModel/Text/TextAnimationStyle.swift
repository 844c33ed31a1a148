package import ExactTime
package import Vocabulary

/// How a text appears: its characters, words or lines move one after the other from the given values to their final
/// ones.
package struct TextAnimationStyle: Hashable, Sendable, Encodable {
    package var unit: TextUnit
    /// Seconds between the starts of consecutive units; 0.05 by default.
    package var delay: MediaTime?
    /// The duration of one unit's animation in seconds; 0.4 by default.
    package var duration: MediaTime?
    /// The easing; `easeOut` by default.
    package var timingFunction: TimingFunction?
    /// The opacity at the start, 0...1; 0 by default.
    package var opacity: Double?
    /// The offset at the start in pixels of `videoSize`, to the right and down; none by default.
    package var offset: Transform.Pair?
    /// The scale at the start, 0...100; 1 by default.
    package var scale: Double?
    /// The rotation at the start in degrees clockwise; 0 by default.
    package var rotation: Double?

    package init(unit: TextUnit) {
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
