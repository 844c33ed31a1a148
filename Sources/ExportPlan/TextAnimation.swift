public import ExactTime
public import Vocabulary

/// How a text comes in: its units one after the other, each from somewhere else to its place.
public struct TextAnimation: Hashable, Sendable, Codable {
    /// What a unit begins with; what it ends with is its place in the text.
    public struct Beginning: Hashable, Sendable, Codable {
        /// 0...1.
        public var opacity: Double
        /// Pixels to the right of its place.
        public var x: Double
        /// Pixels below its place.
        public var y: Double
        /// About its middle, 1 being its size.
        public var scale: Double
        /// Degrees clockwise, about its middle.
        public var rotation: Double

        public init(opacity: Double, x: Double, y: Double, scale: Double, rotation: Double) {
            self.opacity = opacity
            self.x = x
            self.y = y
            self.scale = scale
            self.rotation = rotation
        }
    }

    public var unit: TextUnit
    /// When the first unit begins, in the layer's list's time.
    public var start: MediaTime
    /// From one unit's beginning to the next one's, 0 or more.
    public var delay: MediaTime
    /// Of one unit's way, above zero.
    public var duration: MediaTime
    public var easing: TimingFunction
    public var from: Beginning

    public init(
        unit: TextUnit, start: MediaTime, delay: MediaTime, duration: MediaTime, easing: TimingFunction, from: Beginning
    ) {
        self.unit = unit
        self.start = start
        self.delay = delay
        self.duration = duration
        self.easing = easing
        self.from = from
    }

    /// How far unit `index` has come, eased: 0 where it begins, exactly 1 once it is there.
    public func progress(ofUnit index: Int, at time: MediaTime) -> Double {
        let elapsed = time - start - delay * Rational(index)
        guard elapsed < duration else { return 1 }
        guard elapsed > .zero else { return easing.value(at: 0) }
        return easing.value(at: (elapsed / duration).doubleValue)
    }

    /// When the last of so many units is there.
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

    /// Without its animation, where that is over: a text has no more units than characters.
    func restricted(to range: TimeRange) -> TextContent {
        guard let animation, animation.end(units: text.count) <= range.start else { return self }
        var result = self
        result.animation = nil
        return result
    }
}
