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
    case .hue, .saturation, .color, .luminosity: fatalError("blends whole colours")
    }
}

/// The formulas for whole colours: section 9.1 for each channel, or section 9.2 in the steps of its pseudo-code.
func referenceBlend(_ mode: BlendMode, _ b: SIMD3<Double>, _ s: SIMD3<Double>) -> SIMD3<Double> {
    func lum(_ c: SIMD3<Double>) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
    func sat(_ c: SIMD3<Double>) -> Double { c.max() - c.min() }
    func clipColor(_ color: SIMD3<Double>) -> SIMD3<Double> {
        var c = color
        let (l, n, x) = (lum(color), color.min(), color.max())
        for i in 0..<3 {
            if n < 0, l > n { c[i] = l + (c[i] - l) * l / (l - n) }
            if x > 1, x > l { c[i] = l + (c[i] - l) * (1 - l) / (x - l) }
        }
        return c
    }
    func setLum(_ c: SIMD3<Double>, _ l: Double) -> SIMD3<Double> { clipColor(c + (l - lum(c))) }
    func setSat(_ color: SIMD3<Double>, _ s: Double) -> SIMD3<Double> {
        var c = color
        let order = [0, 1, 2].sorted { color[$0] < color[$1] }
        let (least, middle, most) = (order[0], order[1], order[2])
        if color[most] > color[least] {
            c[middle] = (color[middle] - color[least]) * s / (color[most] - color[least])
            c[most] = s
        } else {
            (c[middle], c[most]) = (0, 0)
        }
        c[least] = 0
        return c
    }
    switch mode {
    case .hue: return setLum(setSat(s, sat(b)), lum(b))
    case .saturation: return setLum(setSat(b, sat(s)), lum(b))
    case .color: return setLum(s, lum(b))
    case .luminosity: return setLum(b, lum(s))
    default:
        return SIMD3(referenceBlend(mode, b[0], s[0]), referenceBlend(mode, b[1], s[1]), referenceBlend(mode, b[2], s[2]))
    }
}
