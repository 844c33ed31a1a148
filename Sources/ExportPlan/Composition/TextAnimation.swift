package import ExactTime
package import Vocabulary

/// How a text appears: its units move one after the other from a beginning state to their place.
package struct TextAnimation: Hashable, Sendable, Codable {
    /// The state in which a unit begins, relative to its final place in the text.
    package struct Beginning: Hashable, Sendable, Codable {
        /// 0...1.
        package var opacity: Double
        /// Pixels to the right of its place.
        package var x: Double
        /// Pixels below its place.
        package var y: Double
        /// The scale about the unit's middle; 1 is its own size.
        package var scale: Double
        /// The rotation about the unit's middle, in degrees clockwise.
        package var rotation: Double

        package init(opacity: Double, x: Double, y: Double, scale: Double, rotation: Double) {
            self.opacity = opacity
            self.x = x
            self.y = y
            self.scale = scale
            self.rotation = rotation
        }
    }

    package var unit: TextUnit
    /// When the first unit begins, in the time of the list that the layer is in.
    package var start: MediaTime
    /// The time between the beginnings of neighbouring units, 0 or more.
    package var delay: MediaTime
    /// The duration of one unit's move, above zero.
    package var duration: MediaTime
    package var easing: TimingFunction
    package var from: Beginning

    package init(
        unit: TextUnit, start: MediaTime, delay: MediaTime, duration: MediaTime, easing: TimingFunction, from: Beginning
    ) {
        self.unit = unit
        self.start = start
        self.delay = delay
        self.duration = duration
        self.easing = easing
        self.from = from
    }

    /// The eased progress of unit `index`: 0 where it begins, exactly 1 when it has arrived.
    package func progress(ofUnit index: Int, at time: MediaTime) -> Double {
        let elapsed = time - start - delay * Rational(index)
        guard elapsed < duration else { return 1 }
        guard elapsed > .zero else { return easing.value(at: 0) }
        return easing.value(at: (elapsed / duration).doubleValue)
    }

    /// When the last of `units` units has arrived.
    func end(units: Int) -> MediaTime { start + duration + delay * Rational(max(0, units - 1)) }

    func shifted(by offset: MediaTime) -> TextAnimation {
        var result = self
        result.start += offset
        return result
    }
}

extension TextContent {
    func shifted(by offset: MediaTime) -> TextContent {
        var result = self
        result.animation = animation?.shifted(by: offset)
        return result
    }

    /// The text without its animation, if that is over before the range. A text has at most as many units as
    /// characters.
    func restricted(to range: TimeRange) -> TextContent {
        guard let animation, animation.end(units: text.count) <= range.start else { return self }
        var result = self
        result.animation = nil
        return result
    }
}
