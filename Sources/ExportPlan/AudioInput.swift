public import ExactTime

/// One sound on the timeline: a stretch of a source, how it is played, and how loud it is over time.
public struct AudioInput: Hashable, Sendable, Codable {
    /// Content hash.
    public var source: String
    public var timeRange: TimeRange
    /// The stretch of source time that plays.
    public var sourceRange: TimeRange
    public var reversed: Bool
    /// Source seconds per timeline second, above zero.
    public var speed: Rational
    /// Whether pitch stays when the speed is not 1.
    public var keepsPitch: Bool
    /// Semitones.
    public var pitch: Double
    /// Multiplied with each other.
    public var gains: [GainCurve]

    public init(
        source: String, timeRange: TimeRange, sourceRange: TimeRange, reversed: Bool, speed: Rational, keepsPitch: Bool,
        pitch: Double, gains: [GainCurve]
    ) {
        self.source = source
        self.timeRange = timeRange
        self.sourceRange = sourceRange
        self.reversed = reversed
        self.speed = speed
        self.keepsPitch = keepsPitch
        self.pitch = pitch
        self.gains = gains
    }

    /// Whether a time stretcher (which cannot be entered in the middle) has to run over it.
    public var needsStretching: Bool { (keepsPitch && speed != .one) || pitch != 0 }
}

/// Linear gain over time: straight lines or easings between points; before the first and after the last the end gain holds.
public struct GainCurve: Hashable, Sendable, Codable {
    public enum Shape: String, Hashable, Sendable, Codable {
        case linear
        /// The sine of a quarter turn times the line: two opposed ones have constant power.
        case sine
    }

    public struct Point: Hashable, Sendable, Codable {
        public var time: MediaTime
        public var gain: Double
        /// Towards the next point; nil is a straight line, of fades and ramps.
        public var easing: TimingFunction?

        public init(time: MediaTime, gain: Double, easing: TimingFunction? = nil) {
            self.time = time
            self.gain = gain
            self.easing = easing
        }
    }

    /// Gains of which an easing that overshoots gives the end.
    public static let range = 0.0...8

    public var shape: Shape
    /// At least one, times not falling; two at the same time are a step.
    public var points: [Point]

    public init(shape: Shape = .linear, points: [Point]) {
        precondition(!points.isEmpty, "a gain curve has at least one point")
        self.shape = shape
        self.points = points
    }

    public static func constant(_ gain: Double) -> GainCurve {
        GainCurve(points: [Point(time: .zero, gain: gain)])
    }

    /// A volume that changes over time.
    public init(_ value: AnimatedValue) {
        self.init(
            points: value.keys.enumerated().map { index, key in
                // A straight line between its keys says so: such curves are evaluated to the very sample wherever they are cut.
                return Point(time: key.time, gain: key.value, easing: index == value.keys.count - 1 ? nil : key.easing)
            })
    }

    /// The same curve, `offset` later.
    public func shifted(by offset: MediaTime) -> GainCurve {
        GainCurve(shape: shape, points: points.map { Point(time: $0.time + offset, gain: $0.gain, easing: $0.easing) })
    }

    /// The curve as `range` sees it, moved by `offset`: points that no longer matter are gone, so equal stretches of
    /// different curves are equal.
    public func trimmed(to range: TimeRange, shiftedBy offset: MediaTime) -> GainCurve {
        let first = points.lastIndex { $0.time <= range.start } ?? 0
        let last = points.firstIndex { $0.time >= range.end } ?? points.count - 1
        let kept = points[min(first, last)...max(first, last)]
        let gain = kept[kept.startIndex].gain
        // A hold that goes on until the range is over.
        let holds = kept.count == 2 && kept[kept.startIndex].easing == .hold && last > first && points[last].time >= range.end
        if holds || kept.allSatisfy({ $0.gain == gain }) {
            // At its ends the sine is the line, so that a fade that is over is no fade any more.
            return GainCurve(shape: gain == 0 || gain == 1 ? .linear : shape, points: [Point(time: .zero, gain: gain)])
        }
        var trimmed = GainCurve(shape: shape, points: Array(kept)).shifted(by: offset)
        trimmed.points[trimmed.points.count - 1].easing = nil
        return trimmed
    }
}
