import Glibc

/// How a sound fades in and out: the curves of FFmpeg's `afade` and `acrossfade`, by their names.
package enum FadeCurve: String, CaseIterable, Hashable, Sendable, Codable {
    /// A straight line.
    case tri
    /// A quarter of a sine. Two opposite ones have constant power.
    case qsin
    /// A sine of exponential ascent.
    case esin
    /// Half a sine.
    case hsin
    case log
    /// An inverted parabola.
    case ipar
    case qua
    case cub
    case squ
    case cbr
    case par
    case exp
    /// A quarter of a sine, inverted.
    case iqsin
    /// Half a sine, inverted.
    case ihsin
    /// A seat of two cubic roots.
    case dese
    /// A sigmoid of two cubes.
    case desi
    /// A logistic sigmoid.
    case losi
    /// A cardinal sine.
    case sinc
    /// A cardinal sine, inverted.
    case isinc
    /// No fade: full gain from the beginning.
    case nofade

    /// The gain at a fraction of a fade-in, as computed by libavfilter's `fade_gain`.
    /// - Parameter share: 0...1. Above 1 only `tri` continues; the others keep their last value.
    package func gain(at share: Double) -> Double {
        if self == .tri { return share }
        let x = min(max(share, 0), 1)
        switch self {
        case .tri: return share
        case .qsin: return sin(x * .pi / 2)
        case .iqsin: return 2 / .pi * asin(x)
        case .esin: return 1 - cos(.pi / 4 * (cube(2 * x - 1) + 1))
        case .hsin: return (1 - cos(x * .pi)) / 2
        case .ihsin: return acos(1 - 2 * x) / .pi
        // The constant is 5 ln 0.1, so the fade begins at -100 dB.
        case .exp: return exponential(-11.512925464970227 * (1 - x))
        case .log: return min(max(1 + 0.2 * log10(x), 0), 1)
        case .par: return 1 - (1 - x).squareRoot()
        case .ipar: return 1 - (1 - x) * (1 - x)
        case .qua: return x * x
        case .cub: return cube(x)
        case .squ: return x.squareRoot()
        case .cbr: return cbrt(x)
        case .dese: return x <= 0.5 ? cbrt(2 * x) / 2 : 1 - cbrt(2 * (1 - x)) / 2
        case .desi: return x <= 0.5 ? cube(2 * x) / 2 : 1 - cube(2 * (1 - x)) / 2
        case .losi:
            let steepness = 1 / (1 - 0.787) - 1
            func logistic(_ x: Double) -> Double { 1 / (1 + exponential(-x * steepness)) }
            return (logistic(2 * x - 1) - logistic(-1)) / (logistic(1) - logistic(-1))
        case .sinc: return x >= 1 ? 1 : sin(.pi * (1 - x)) / (.pi * (1 - x))
        case .isinc: return x <= 0 ? 0 : 1 - sin(.pi * x) / (.pi * x)
        case .nofade: return 1
        }
    }

    private func cube(_ x: Double) -> Double { x * x * x }
}

/// The C library's `exp`. Inside `FadeCurve` that name is a case.
private func exponential(_ x: Double) -> Double { exp(x) }
