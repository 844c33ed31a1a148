/// A cubic Bézier curve from (0, 0) to (1, 1) whose x never falls, so that y is a function of x.
struct CubicBezier {
    var x1: Double
    var y1: Double
    var x2: Double
    var y2: Double

    /// The y at which the curve passes `x`, to the precision of a double.
    func y(atX x: Double) -> Double { coordinate(y1, y2, at: parameter(atX: x)) }

    /// The curve parameter at `x`. It uses Newton's method and falls back to bisection where a step leaves the known
    /// bounds.
    private func parameter(atX x: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        var t = x
        for _ in 0..<100 {
            let error = coordinate(x1, x2, at: t) - x
            if error == 0 { return t }
            if error < 0 { low = t } else { high = t }
            let slope = slope(x1, x2, at: t)
            let step = t - error / slope
            let next = slope > 0 && step > low && step < high ? step : (low + high) / 2
            if next == t || high - low < 1e-16 { return next }
            t = next
        }
        return t
    }

    private func coordinate(_ first: Double, _ second: Double, at t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
    }

    private func slope(_ first: Double, _ second: Double, at t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * first + 6 * rest * t * (second - first) + 3 * t * t * (1 - second)
    }
}
