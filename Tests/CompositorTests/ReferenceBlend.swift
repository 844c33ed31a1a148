import Vocabulary

/// A second implementation of the formulas of W3C Compositing and Blending Level 1, section 9.1, in double precision.
/// `add` and `subtract` are the sum and the difference, limited to 0...1.
func referenceBlend(_ mode: BlendMode, _ b: Double, _ s: Double) -> Double {
    func screen(_ b: Double, _ s: Double) -> Double { b + s - b * s }
    func hardLight(_ b: Double, _ s: Double) -> Double { s <= 0.5 ? b * (2 * s) : screen(b, 2 * s - 1) }
    switch mode {
    case .normal: return s
    case .multiply: return b * s
    case .screen: return screen(b, s)
    case .overlay: return hardLight(s, b)
    case .darken: return min(b, s)
    case .lighten: return max(b, s)
    case .colorDodge: return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
    case .colorBurn: return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
    case .hardLight: return hardLight(b, s)
    case .softLight:
        if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
        let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return b + (2 * s - 1) * (d - b)
    case .difference: return abs(b - s)
    case .exclusion: return b + s - 2 * b * s
    case .add: return min(1, b + s)
    case .subtract: return max(0, b - s)
    }
}
