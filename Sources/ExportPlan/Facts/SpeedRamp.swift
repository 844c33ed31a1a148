package import ExactTime

/// A speed that follows a curve over the source's own time. The playing time up to a place in the source is the
/// integral of `1 / speed` up to that place; the place at a playing time is the inverse of that integral.
///
/// Both are computed by ten-point Gauss quadrature in cells that are so small that halving them changes the result by
/// less than 1e-13 s. Results are rounded much more coarsely than that, so that all machines compute the same.
package struct SpeedRamp: Sendable {
    /// The speed over seconds of source time since the start of `sourceRange`, 0.1...16. Curves that overshoot are
    /// clamped to that range.
    package let speed: AnimatedValue
    /// The range of the source that plays; its start is the curve's time 0.
    package let sourceRange: TimeRange

    /// The least and the greatest speed, whatever the curve says.
    package static let limits = 0.1...16.0

    /// The places at which cells begin, in seconds of source time and of playing time; the last node is the end of the
    /// range.
    private let nodes: [(source: Double, played: Double)]

    package init(speed: AnimatedValue, sourceRange: TimeRange) {
        self.speed = speed
        self.sourceRange = sourceRange
        let length = sourceRange.duration.doubleValue
        let keys = speed.keys.map(\.time.doubleValue).filter { $0 > 0 && $0 < length }
        var nodes = [(source: 0.0, played: 0.0)]
        for (start, end) in zip([0] + keys, keys + [length]) where start < end {
            for cell in SpeedRamp.cells(speed, start, end, depth: 0) {
                nodes.append((cell.end, nodes[nodes.count - 1].played + cell.played))
            }
        }
        self.nodes = nodes
    }

    /// How long the whole range plays, rounded to 1/705600000 s: all usual frames and samples begin at a multiple of
    /// that.
    package var duration: MediaTime { time(ofSource: sourceRange.end) }

    /// How long the ramp has played when the source is at `time`, which is clamped to the range.
    package func time(ofSource time: MediaTime) -> MediaTime {
        let place = min(max((time - sourceRange.start).doubleValue, 0), nodes[nodes.count - 1].source)
        let index = max(0, (nodes.firstSortedIndex { $0.source > place } ?? nodes.count) - 1)
        let node = nodes[index]
        return MediaTime(
            ticks: Int64(((node.played + SpeedRamp.integral(speed, node.source, place)) * 705_600_000).rounded()),
            timeBase: Rational(1, 705_600_000))
    }

    /// The source time after the ramp has played for `time`, rounded to nanoseconds.
    package func sourceTime(at time: MediaTime) -> MediaTime {
        let played = time.doubleValue
        guard played > 0 else { return sourceRange.start }
        guard let next = nodes.firstSortedIndex(where: { $0.played > played }), next > 0 else { return sourceRange.end }
        let (node, end) = (nodes[next - 1], nodes[next].source)
        var (low, high) = (node.source, end)
        // Newton's method, kept between two places of which one is known to be too early and one too late.
        var place = min(high, low + (played - node.played) * SpeedRamp.value(speed, at: low))
        for _ in 0..<60 {
            let excess = node.played + SpeedRamp.integral(speed, node.source, place) - played
            if excess > 0 { high = place } else { low = place }
            let step = place - excess * SpeedRamp.value(speed, at: place)
            let next = step > low && step < high ? step : (low + high) / 2
            if abs(next - place) < 1e-12 { break }
            place = next
        }
        return sourceRange.start + MediaTime(ticks: Int64((place * 1e9).rounded()), timeBase: Rational(1, 1_000_000_000))
    }

    // MARK: Quadrature

    private static func value(_ speed: AnimatedValue, at place: Double) -> Double {
        min(max(speed.value(atSeconds: place), limits.lowerBound), limits.upperBound)
    }

    /// The places and weights of Gauss-Legendre quadrature for five of the ten points; the other five are symmetric to
    /// them. Source: Abramowitz and Stegun, table 25.4.
    private static let points: [(place: Double, weight: Double)] = [
        (0.148874338981631211, 0.295524224714752870), (0.433395394129247191, 0.269266719309996355),
        (0.679409568299024406, 0.219086362515982044), (0.865063366688984511, 0.149451349150580593),
        (0.973906528517171720, 0.066671344308688138),
    ]

    /// The playing time, in seconds, from one place of the source to another.
    private static func integral(_ speed: AnimatedValue, _ start: Double, _ end: Double) -> Double {
        guard end > start else { return 0 }
        let (middle, half) = ((start + end) / 2, (end - start) / 2)
        return points.reduce(0) { sum, point in
            sum + point.weight
                * (1 / value(speed, at: middle - half * point.place) + 1 / value(speed, at: middle + half * point.place))
        } * half
    }

    /// The range split into cells in which the quadrature is accurate.
    private static func cells(
        _ speed: AnimatedValue, _ start: Double, _ end: Double, depth: Int
    ) -> [(end: Double, played: Double)] {
        let middle = (start + end) / 2
        let whole = integral(speed, start, end)
        let (first, second) = (integral(speed, start, middle), integral(speed, middle, end))
        // Cells shorter than 1e-8 s are not split further, because a kink in the curve has no visible effect there.
        if abs(whole - first - second) < 1e-13 || end - start < 1e-8 || depth > 40 { return [(middle, first), (end, second)] }
        return cells(speed, start, middle, depth: depth + 1) + cells(speed, middle, end, depth: depth + 1)
    }
}

extension SpeedRamp: Codable {
    private enum CodingKeys: String, CodingKey { case speed, sourceRange }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            speed: try container.decode(AnimatedValue.self, forKey: .speed),
            sourceRange: try container.decode(TimeRange.self, forKey: .sourceRange))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(speed, forKey: .speed)
        try container.encode(sourceRange, forKey: .sourceRange)
    }
}

extension SpeedRamp: Hashable {
    // The nodes follow from these two properties.
    package static func == (left: SpeedRamp, right: SpeedRamp) -> Bool {
        left.speed == right.speed && left.sourceRange == right.sourceRange
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(speed)
        hasher.combine(sourceRange)
    }
}
