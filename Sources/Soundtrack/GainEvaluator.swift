import ExactTime
import ExportPlan

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The product of an input's gain curves, sample by sample.
struct GainEvaluator {
    /// A curve with its times in samples.
    private struct Curve {
        var shape: GainCurve.Shape
        var points: [(sample: Double, gain: Double)]
        /// Of a curve that says how it goes from point to point, and only there.
        var eased: EasedGain?
    }

    private let curves: [Curve]

    init(_ curves: [GainCurve], sampleRate: Int) {
        self.curves = curves.map { curve in
            Curve(
                shape: curve.shape,
                points: curve.points.map { ($0.time.seconds.doubleValue * Double(sampleRate), $0.gain) },
                eased: EasedGain(curve, sampleRate: sampleRate))
        }
    }

    /// Gains of segment samples `from ..< from + count`.
    func evaluate(from: Int, count: Int, into gains: inout [Float]) {
        var product = [Double](repeating: 1, count: count)
        for curve in curves { multiply(&product, by: curve, from: from) }
        gains.removeAll(keepingCapacity: true)
        gains.append(contentsOf: product.lazy.map(Float.init))
    }

    private func multiply(_ product: inout [Double], by curve: Curve, from: Int) {
        if let eased = curve.eased {
            eased.multiply(&product, from: from)
            return
        }
        var next = 0
        for index in product.indices {
            let place = Double(from + index)
            while next < curve.points.count, curve.points[next].sample <= place { next += 1 }
            let line = value(of: curve.points, before: next, at: place)
            product[index] *= curve.shape == .sine ? sin(line * .pi / 2) : line
        }
    }

    /// The straight line between the points on both sides of a place; the end gain outside.
    private func value(of points: [(sample: Double, gain: Double)], before next: Int, at place: Double) -> Double {
        guard next > 0 else { return points[0].gain }
        guard next < points.count else { return points[points.count - 1].gain }
        let (from, to) = (points[next - 1], points[next])
        return from.gain + (to.gain - from.gain) * (place - from.sample) / (to.sample - from.sample)
    }
}
