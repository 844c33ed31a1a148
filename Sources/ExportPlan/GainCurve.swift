public import ExactTime
public import Vocabulary

/// Linear gain over time: straight lines or easings between points, bent by a fade's curve; before the first and after the last the
/// end gain holds.
public struct GainCurve: Hashable, Sendable, Codable {
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

    /// What a line from 0 to 1 becomes.
    public var shape: FadeCurve
    /// At least one, times not falling; two at the same time are a step.
    public var points: [Point]

    public init(shape: FadeCurve = .tri, points: [Point]) {
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
                Point(time: key.time, gain: key.value, easing: index == value.keys.count - 1 ? nil : key.easing)
            })
    }

    /// The same curve, `offset` later.
    public func shifted(by offset: MediaTime) -> GainCurve {
        GainCurve(shape: shape, points: points.map { Point(time: $0.time + offset, gain: $0.gain, easing: $0.easing) })
    }

    /// The line at a time; the gain itself is what the shape makes of it.
    public func line(at time: MediaTime) -> Double {
        guard let after = points.firstSortedIndex(where: { $0.time > time }) else { return points[points.count - 1].gain }
        guard after > 0 else { return points[0].gain }
        let (from, to) = (points[after - 1], points[after])
        let progress = ((time - from.time) / (to.time - from.time)).doubleValue
        return from.gain + (to.gain - from.gain) * (from.easing?.value(at: progress) ?? progress)
    }

    /// The curve as `range` sees it, moved by `offset`: points that no longer matter are gone, so equal stretches of
    /// different curves are equal.
    public func trimmed(to range: TimeRange, shiftedBy offset: MediaTime) -> GainCurve {
        let first = points.lastSortedIndex { $0.time <= range.start } ?? 0
        let last = points.firstSortedIndex { $0.time >= range.end } ?? points.count - 1
        let kept = points[min(first, last)...max(first, last)]
        let gain = kept[kept.startIndex].gain
        // A hold that goes on until the range is over.
        let holds = kept.count == 2 && kept[kept.startIndex].easing == .hold && last > first && points[last].time >= range.end
        if holds || kept.allSatisfy({ $0.gain == gain }) {
            // A fade that is over is no fade any more.
            return .constant(shape.gain(at: gain))
        }
        var trimmed = GainCurve(shape: shape, points: Array(kept)).shifted(by: offset)
        trimmed.points[trimmed.points.count - 1].easing = nil
        return trimmed
    }
}
