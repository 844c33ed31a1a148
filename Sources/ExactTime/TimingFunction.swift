import Glibc

/// An easing: a curve from progress 0...1 to the fraction of the change, with 0 at 0 and 1 at 1. Some curves overshoot
/// in between.
///
/// There are Robert Penner's 31 easing equations ("Programming Macromedia Flash MX", 2002, chapter 7) under their usual
/// names, cubic Bézier curves as in CSS and Core Animation, and `hold`.
package enum TimingFunction: Hashable, Sendable {
    /// The part of the interval in which the change is slow.
    package enum Direction: String, CaseIterable, Hashable, Sendable {
        case `in` = "In"
        case out = "Out"
        case inOut = "InOut"
    }

    /// Penner's families of curves.
    package enum Family: String, CaseIterable, Hashable, Sendable {
        case quad, cubic, quart, quint, sine, expo, circ, back, elastic, bounce
    }

    case linear
    /// Keeps the value until the next keyframe.
    case hold
    case penner(Family, Direction)
    /// A Bézier curve with the control points (0, 0), (x1, y1), (x2, y2), (1, 1). Both x values lie in 0...1.
    case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)

    /// Core Animation's `easeIn` and CSS's `ease-in`. The next two correspond in the same way.
    package static let easeIn = TimingFunction.cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    package static let easeOut = TimingFunction.cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
    package static let easeInOut = TimingFunction.cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    /// CSS's `ease`, which is Core Animation's `default`.
    package static let ease = TimingFunction.cubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)

    /// The fraction of the change at `progress`.
    /// - Parameter progress: 0...1; outside this range the end value is returned.
    package func value(at progress: Double) -> Double {
        if self == .hold { return progress < 1 ? 0 : 1 }
        if progress <= 0 { return 0 }
        if progress >= 1 { return 1 }
        switch self {
        case .linear, .hold: return progress
        case .penner(let family, .in): return family.easeIn(progress)
        case .penner(let family, .out): return 1 - family.easeIn(1 - progress)
        case .penner(let family, .inOut):
            return progress < 0.5
                ? family.easeInForHalf(2 * progress) / 2 : 1 - family.easeInForHalf(2 - 2 * progress) / 2
        case .cubicBezier(let x1, let y1, let x2, let y2):
            return CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2).y(atX: progress)
        }
    }
}

extension TimingFunction.Family {
    /// The curve that starts slowly. The other directions are made from it by mirroring.
    fileprivate func easeIn(_ t: Double) -> Double {
        switch self {
        case .quad: t * t
        case .cubic: t * t * t
        case .quart: t * t * t * t
        case .quint: t * t * t * t * t
        case .sine: 1 - cos(t * .pi / 2)
        case .expo: pow(2, 10 * (t - 1))
        case .circ: 1 - (1 - t * t).squareRoot()
        case .back: overshoot(t, 1.70158)
        case .elastic: elastic(t, period: 0.3)
        case .bounce: 1 - bounceOut(1 - t)
        }
    }

    /// The curve for halves of `inOut`. Penner uses other constants for two families there.
    fileprivate func easeInForHalf(_ t: Double) -> Double {
        switch self {
        case .back: overshoot(t, 1.70158 * 1.525)
        case .elastic: elastic(t, period: 0.3 * 1.5)
        default: easeIn(t)
        }
    }

    private func overshoot(_ t: Double, _ amount: Double) -> Double { t * t * ((amount + 1) * t - amount) }

    private func elastic(_ t: Double, period: Double) -> Double {
        -pow(2, 10 * (t - 1)) * sin((t - 1 - period / 4) * 2 * .pi / period)
    }

    /// Four parabolas; each bounce is lower than the one before.
    private func bounceOut(_ t: Double) -> Double {
        func parabola(_ centre: Double, _ height: Double) -> Double {
            7.5625 * (t - centre / 2.75) * (t - centre / 2.75) + height
        }
        switch t * 2.75 {
        case ..<1: return parabola(0, 0)
        case ..<2: return parabola(1.5, 0.75)
        case ..<2.5: return parabola(2.25, 0.9375)
        default: return parabola(2.625, 0.984375)
        }
    }
}
