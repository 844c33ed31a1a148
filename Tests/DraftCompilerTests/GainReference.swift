import ExactTime
import ExportPlan
import Vocabulary
import Glibc

/// A simple reference for gains: the product of all curves, each computed from its definition.
func gain(_ input: AudioInput, at time: Rational) -> Double { gain(input.gains, at: time) }

func gain(_ curves: [GainCurve], at time: Rational) -> Double {
    curves.map { curve in
        var line = curve.points[0].gain
        for (from, to) in zip(curve.points, curve.points.dropFirst()) where from.time.seconds <= time {
            let length = to.time - from.time
            // Two points at one time are a step, and the new value holds from that time.
            let part = length <= .zero ? 1 : min(1, ((time - from.time.seconds) / length.seconds).doubleValue)
            line = from.gain + (to.gain - from.gain) * (from.easing ?? .linear).value(at: part)
        }
        return curve.shape == .qsin ? sin(line * .pi / 2) : line
    }.reduce(1, *)
}
