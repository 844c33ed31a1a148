import ExactTime
import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A gain curve that says how it goes from point to point, sample by sample.
///
/// Every place is counted from the sample that a point lies in, exactly: a sound that is cut into segments has the very gains of the
/// whole.
struct EasedGain {
    private struct Point {
        /// The last sample that is not later.
        var sample: Int
        /// How much later it is than that sample, in samples, 0..<1.
        var rest: Double
        var gain: Double
        var easing: TimingFunction
        /// Samples until the next point.
        var length: Double

        func isReached(at place: Int) -> Bool { place > sample || place == sample && rest == 0 }
    }

    private let shape: GainCurve.Shape
    private let points: [Point]

    /// - Returns: nil for one that does not say so.
    init?(_ curve: GainCurve, sampleRate: Int) {
        guard curve.points.contains(where: { $0.easing != nil }) else { return nil }
        shape = curve.shape
        let rate = Rational(sampleRate)
        let times = curve.points.map { $0.time.seconds * rate }
        points = curve.points.indices.map { index in
            let whole = times[index].floor
            let next = index + 1 < times.count ? times[index + 1] : times[index]
            return Point(
                sample: whole, rest: (times[index] - Rational(whole)).doubleValue, gain: curve.points[index].gain,
                easing: curve.points[index].easing ?? .linear, length: (next - times[index]).doubleValue)
        }
    }

    /// Segment samples from `from` on.
    func multiply(_ product: inout [Double], from: Int) {
        var next = 0
        for index in product.indices {
            let place = from + index
            while next < points.count, points[next].isReached(at: place) { next += 1 }
            let gain = gain(before: next, at: place)
            product[index] *= shape == .sine ? sin(gain * .pi / 2) : gain
        }
    }

    private func gain(before next: Int, at place: Int) -> Double {
        guard next > 0 else { return points[0].gain }
        let from = points[next - 1]
        guard next < points.count else { return from.gain }
        let progress = (Double(place - from.sample) - from.rest) / from.length
        let gain = from.gain + (points[next].gain - from.gain) * from.easing.value(at: progress)
        return min(max(gain, GainCurve.range.lowerBound), GainCurve.range.upperBound)
    }
}
