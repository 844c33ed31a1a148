package import ExactTime
package import Vocabulary

/// A linear gain over time: straight lines or easings between points, shaped by a fade's curve. Before the first point
/// and after the last one the gain of that point holds.
package struct GainCurve: Hashable, Sendable, Codable {
    package struct Point: Hashable, Sendable, Codable {
        package var time: MediaTime
        package var gain: Double
        /// The easing to the next point; nil is a straight line, as fades and ramps have.
        package var easing: TimingFunction?

        package init(time: MediaTime, gain: Double, easing: TimingFunction? = nil) {
            self.time = time
            self.gain = gain
            self.easing = easing
        }
    }

    /// The range that gains are clamped to when an easing overshoots.
    package static let range = 0.0...8

    /// The fade curve that a line from 0 to 1 is mapped through.
    package var shape: FadeCurve
    /// At least one point; times never fall, and two points at the same time are a step.
    package var points: [Point]

    package init(shape: FadeCurve = .tri, points: [Point]) {
        precondition(!points.isEmpty, "a gain curve has at least one point")
        self.shape = shape
        self.points = points
    }

    package static func constant(_ gain: Double) -> GainCurve {
        GainCurve(points: [Point(time: .zero, gain: gain)])
    }

    /// The gain curve of a volume that changes over time.
    package init(_ value: AnimatedValue) {
        self.init(
            points: value.keys.enumerated().map { index, key in
                Point(time: key.time, gain: key.value, easing: index == value.keys.count - 1 ? nil : key.easing)
            })
    }

    /// The same curve, `offset` later.
    package func shifted(by offset: MediaTime) -> GainCurve {
        GainCurve(shape: shape, points: points.map { Point(time: $0.time + offset, gain: $0.gain, easing: $0.easing) })
    }

    /// The value of the line at a time, before `shape` maps it to the gain.
    package func line(at time: MediaTime) -> Double {
        guard let after = points.firstSortedIndex(where: { $0.time > time }) else { return points[points.count - 1].gain }
        guard after > 0 else { return points[0].gain }
        let (from, to) = (points[after - 1], points[after])
        let progress = ((time - from.time) / (to.time - from.time)).doubleValue
        return from.gain + (to.gain - from.gain) * (from.easing?.value(at: progress) ?? progress)
    }

    /// The curve within `range`, moved by `offset`, without the points that no longer matter, so that equal ranges of
    /// different curves are equal.
    package func trimmed(to range: TimeRange, shiftedBy offset: MediaTime) -> GainCurve {
        let first = points.lastSortedIndex { $0.time <= range.start } ?? 0
        let last = points.firstSortedIndex { $0.time >= range.end } ?? points.count - 1
        let kept = points[min(first, last)...max(first, last)]
        let gain = kept[kept.startIndex].gain
        // A hold that lasts until the end of the range makes the gain constant.
        let holds = kept.count == 2 && kept[kept.startIndex].easing == .hold && last > first && points[last].time >= range.end
        if holds || kept.allSatisfy({ $0.gain == gain }) {
            // A fade that is over is a constant as well.
            return .constant(shape.gain(at: gain))
        }
        var trimmed = GainCurve(shape: shape, points: Array(kept)).shifted(by: offset)
        trimmed.points[trimmed.points.count - 1].easing = nil
        return trimmed
    }
}
