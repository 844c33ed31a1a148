import ExportPlan
import Glibc

/// A second implementation of the pixel-wise operations from the formulas in docs/operations.md: slow, one colour at a
/// time.
struct ReferenceOperation {
    private typealias Color = SIMD3<Double>

    let name: String
    /// The values that differ from the defaults.
    let values: [String: Double]

    /// The one parameter of each operation that the reference knows, with its default, its neutral value, and the range
    /// to which animated values are limited.
    static let parameters: [String: (name: String, default: Double, neutral: Double, range: ClosedRange<Double>)] = [
        "brightness": ("amount", 0, 0, -1...1), "contrast": ("amount", 1, 1, 0...4), "exposure": ("stops", 0, 0, -10...10),
        "gamma": ("amount", 1, 1, 0.1...10),
        "highlights": ("amount", 0, 0, 0...1), "shadows": ("amount", 0, 0, 0...1), "saturation": ("amount", 1, 1, 0...4),
        "vibrance": ("amount", 0, 0, -1.2...1.2), "hue": ("angle", 0, 0, -360...360),
        "temperature": ("kelvin", 5000, 5000, 2500...20000),
        "tint": ("amount", 0, 0, -2...2), "grayscale": ("amount", 1, 0, 0...1), "sepia": ("amount", 1, 0, 0...1),
        "invert": ("amount", 1, 0, 0...1),
        "vignette": ("amount", 1, 0, 0...1),
    ]

    var isNeutral: Bool {
        guard let parameter = ReferenceOperation.parameters[name] else { return false }
        return amount == parameter.neutral
    }

    private var amount: Double {
        guard let parameter = ReferenceOperation.parameters[name] else { return 0 }
        return limited(values[parameter.name] ?? parameter.default, parameter.range.lowerBound, parameter.range.upperBound)
    }

    /// The colour at a place of a picture, not limited to 0...1.
    func color(_ c: SIMD3<Double>, _ x: Int, _ y: Int, width: Int, height: Int) -> SIMD3<Double> {
        switch name {
        case "brightness": return c + amount
        case "contrast": return (c - 0.5) * amount + 0.5
        case "exposure": return c * pow(2, amount)
        case "gamma": return each(c) { pow(limited($0, 0, 1), 1 / amount) }
        case "highlights":
            let l = limited(0.3 * c.sum(), 0, 1)
            let p = 1 / (1 + amount)
            return l == 0 ? c : c * (l + limited(1 - (pow(1 - l, p) - 0.8 * pow(1 - l, 2 * p)) - l, -1, 0)) / l
        case "shadows":
            let l = limited(0.3 * c.sum(), 0, 1)
            let p = 1 / (1 + amount)
            return l == 0 ? c : c * (l + limited(pow(l, p) - 0.76 * pow(l, 2 * p) - l, 0, 1)) / l
        case "saturation": return mix(Color(repeating: (c * Color(0.213, 0.715, 0.072)).sum()), c, amount)
        case "vibrance": return mix(c, Color(repeating: c.max()), -3 * amount * (c.max() - c.sum() / 3))
        case "hue": return hue(c, amount)
        case "temperature": return temperature(c, amount)
        case "tint":
            let q = (c * Color(0.212, -0.523, 0.311)).sum()
            return c + (limited(q + 0.05226 * amount, -0.5226, 0.5226) - q) * Color(0.621, -0.647, 1.702)
        case "grayscale": return mix(c, Color(repeating: (c * Color(0.2126, 0.7152, 0.0722)).sum()), amount)
        case "sepia":
            let rows = [Color(0.393, 0.769, 0.189), Color(0.349, 0.686, 0.168), Color(0.272, 0.534, 0.131)]
            return mix(c, Color((c * rows[0]).sum(), (c * rows[1]).sum(), (c * rows[2]).sum()), amount)
        case "invert": return amount + c * (1 - 2 * amount)
        case "vignette":
            let (start, end) = (values["start"] ?? 0.3, values["end"] ?? 0.75)
            let dx = (Double(x) + 0.5) / Double(width) - (values["center.x"] ?? 0.5)
            let dy = (Double(y) + 0.5) / Double(height) - (values["center.y"] ?? 0.5)
            let t = limited((hypot(dx, dy) - start) / (end - start), 0, 1)
            return c * (1 - amount * t * t * (3 - 2 * t))
        default: return c
        }
    }

    /// hueRotate of W3C Filter Effects.
    private func hue(_ c: Color, _ degrees: Double) -> Color {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let rows = [
            Color(
                0.213 + cosine * 0.787 - sine * 0.213, 0.715 - cosine * 0.715 - sine * 0.715,
                0.072 - cosine * 0.072 + sine * 0.928),
            Color(
                0.213 - cosine * 0.213 + sine * 0.143, 0.715 + cosine * 0.285 + sine * 0.140,
                0.072 - cosine * 0.072 - sine * 0.283),
            Color(
                0.213 - cosine * 0.213 - sine * 0.787, 0.715 - cosine * 0.715 + sine * 0.715,
                0.072 + cosine * 0.928 + sine * 0.072),
        ]
        return Color((c * rows[0]).sum(), (c * rows[1]).sum(), (c * rows[2]).sum())
    }

    private func temperature(_ c: Color, _ kelvin: Double) -> Color {
        let m = (kelvin < 5000 ? 0.0004 : 0.00006) * (kelvin - 5000)
        let w = Color(0.93, 0.54, 0)
        var warm = Color()
        for i in 0..<3 { warm[i] = c[i] < 0.5 ? 2 * c[i] * w[i] : 1 - 2 * (1 - c[i]) * (1 - w[i]) }
        return mix(c, warm, m)
    }

    private func limited(_ value: Double, _ low: Double, _ high: Double) -> Double { min(high, max(low, value)) }

    private func mix(_ a: Color, _ b: Color, _ t: Double) -> Color { a * (1 - t) + b * t }

    private func each(_ c: Color, _ body: (Double) -> Double) -> Color { Color(body(c.x), body(c.y), body(c.z)) }
}

extension ReferencePicture {
    /// Applies operations one after the other. Colours are limited after the last one. Alpha stays.
    func changed(by operations: [ReferenceOperation]) -> ReferencePicture {
        let operations = operations.filter { !$0.isNeutral }
        guard !operations.isEmpty else { return self }
        var result = self
        for y in 0..<height {
            for x in 0..<width where self[x, y].alpha > 0 {
                func all(_ color: SIMD3<Double>) -> SIMD3<Double> {
                    operations.reduce(color) { $1.color($0, x, y, width: width, height: height) }
                        .clamped(lowerBound: .zero, upperBound: .one)
                }
                var pixel = self[x, y]
                let color = all(pixel.straight)
                // This measures how much the operations amplify an error of 1.5 code values in one channel or in all.
                let step = 1.5 / 255
                var slope = 1.0
                for method in [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3<Double>.one] {
                    for sign in [-step, step] {
                        let moved = all(pixel.straight + method * sign) - color
                        for channel in 0..<3 { slope = max(slope, abs(moved[channel]) / step) }
                    }
                }
                pixel.color = color * pixel.alpha
                pixel.slope *= slope
                pixel.isMixed = pixel.isMixed || pixel.isSplit
                result[x, y] = pixel
            }
        }
        return result
    }
}
