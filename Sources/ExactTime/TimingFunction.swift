#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How a value gets from one key to the next: a curve from progress 0...1 to the share of the way, 0 at 0 and 1 at 1; some
/// curves overshoot in between.
///
/// Robert Penner's 31 easing equations ("Programming Macromedia Flash MX", 2002, chapter 7) under their usual names, cubic
/// Béziers as CSS and Core Animation have them, and `hold`.
public enum TimingFunction: Hashable, Sendable {
    /// Which part of the way is slow.
    public enum Direction: String, CaseIterable, Hashable, Sendable {
        case `in` = "In"
        case out = "Out"
        case inOut = "InOut"
    }

    /// Penner's families.
    public enum Family: String, CaseIterable, Hashable, Sendable {
        case quad, cubic, quart, quint, sine, expo, circ, back, elastic, bounce
    }

    case linear
    /// Stays until the next key.
    case hold
    case penner(Family, Direction)
    /// Through (0, 0), (x1, y1), (x2, y2), (1, 1); both x lie in 0...1.
    case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)

    /// Core Animation's `easeIn`, CSS's `ease-in`; likewise the next two.
    public static let easeIn = TimingFunction.cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    public static let easeOut = TimingFunction.cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
    public static let easeInOut = TimingFunction.cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    /// The share of the way at `progress`.
    /// - Parameter progress: 0...1; beyond that the end holds.
    public func value(at progress: Double) -> Double {
        if self == .hold { return progress < 1 ? 0 : 1 }
        if progress <= 0 { return 0 }
        if progress >= 1 { return 1 }
        switch self {
        case .linear, .hold: return progress
        case .penner(let family, .in): return family.easeIn(progress)
        case .penner(let family, .out): return 1 - family.easeIn(1 - progress)
        case .penner(let family, .inOut):
            return progress < 0.5
                ? family.easeInForBoth(2 * progress) / 2 : 1 - family.easeInForBoth(2 - 2 * progress) / 2
        case .cubicBezier(let x1, let y1, let x2, let y2):
            return CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2).y(atX: progress)
        }
    }
}

extension TimingFunction.Family {
    /// The curve that starts slowly; the other two directions are its mirror image, and both halves of a whole.
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

    /// Penner gives two families another constant where the curve goes both ways.
    fileprivate func easeInForBoth(_ t: Double) -> Double {
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

    /// Four parabolas, each bounce lower than the one before.
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
