import ExactTime
import ExportPlan
import Vocabulary

/// Evaluates the product of an input's gain curves, sample by sample.
struct GainEvaluator {
    private let curves: [SampledGain]

    init(_ curves: [GainCurve], sampleRate: Int) {
        self.curves = curves.map { SampledGain($0, sampleRate: sampleRate) }
    }

    /// The gains of segment samples `from ..< from + count`.
    func evaluate(from: Int, count: Int, into gains: inout [Float]) {
        var product = [Double](repeating: 1, count: count)
        for curve in curves { curve.multiply(&product, from: from) }
        gains.removeAll(keepingCapacity: true)
        gains.append(contentsOf: product.lazy.map(Float.init))
    }
}

/// A gain curve with its times in samples.
///
/// Every position is counted exactly from the sample that a point lies in, so a sound that is cut into segments has the
/// same gains as the whole.
private struct SampledGain {
    private struct Point {
        /// The last sample at or before the point.
        var sample: Int
        /// The distance from that sample to the point, in samples, 0..<1.
        var rest: Double
        var gain: Double
        var easing: TimingFunction
        /// The distance to the next point, in samples.
        var length: Double

        func isReached(at place: Int) -> Bool { place > sample || place == sample && rest == 0 }
    }

    private let shape: FadeCurve
    private let points: [Point]

    init(_ curve: GainCurve, sampleRate: Int) {
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

    /// Multiplies gains, the first of which belongs to segment sample `from`.
    func multiply(_ product: inout [Double], from: Int) {
        var next = 0
        for index in product.indices {
            let place = from + index
            while next < points.count, points[next].isReached(at: place) { next += 1 }
            product[index] *= shape.gain(at: line(before: next, at: place))
        }
    }

    private func line(before next: Int, at place: Int) -> Double {
        guard next > 0 else { return points[0].gain }
        let from = points[next - 1]
        guard next < points.count else { return from.gain }
        let progress = (Double(place - from.sample) - from.rest) / from.length
        let gain = from.gain + (points[next].gain - from.gain) * from.easing.value(at: progress)
        return min(max(gain, GainCurve.range.lowerBound), GainCurve.range.upperBound)
    }
}
