import ExportPlan
import Glibc

/// Converts a source's code values to light, and the light to code values of a film, which has BT.709's matrix and gamma
/// and its own primaries.
struct LightModel {
    private let color: ColorDescription
    /// The rows of the matrix from the source's primaries to the film's; nil where they are the same.
    private let matrix: [[Double]]?
    /// Nominal peak and target white in cd/m2: BT.2100's mastering peak and BT.2408's HDR reference white.
    private static let sourcePeak = 1000.0
    private static let targetPeak = 203.0

    /// - Parameter primaries: the film's.
    init(_ color: ColorDescription, to primaries: ColorDescription.Primaries) {
        self.color = color
        matrix = color.primaries.matrix(to: primaries)
    }

    /// Converts 10-bit code values of the source to 8-bit limited-range code values of the film, not yet rounded.
    func code(y: Double, cb: Double, cr: Double) -> (y: Double, cb: Double, cr: Double) {
        let encoded = decodeMatrix(y, cb, cr)
        let shown: [Double]
        switch color.transfer {
        case .sdr:
            shown = encoded.map { pow(max(0, $0), 2.4) }
        case .pq:
            shown = toneMapped(encoded.map { LightModel.pqToLight(max(0, min(1, $0))) })
        case .hlg:
            shown = toneMapped(LightModel.hlgToLight(encoded.map { max(0, min(1, $0)) }))
        }
        let linear = matrix?.map { $0[0] * shown[0] + $0[1] * shown[1] + $0[2] * shown[2] } ?? shown
        return encode(linear.map { pow(max(0, min(1, $0)), 1 / 2.4) })
    }

    /// Y'CbCr code values to R'G'B' in 0...1 (BT.601, BT.709 and BT.2020 use the same formula with their own Kr and
    /// Kb).
    private func decodeMatrix(_ y: Double, _ cb: Double, _ cr: Double) -> [Double] {
        let (kr, kb): (Double, Double) =
            switch color.matrix {
            case .bt2020: (0.2627, 0.0593)
            case .bt601: (0.299, 0.114)
            case .bt709, .rgb: (0.2126, 0.0722)
            }
        let luma = color.isFullRange ? y / 1023 : (y - 64) / 876
        let blue = color.isFullRange ? (cb - 512) / 1023 : (cb - 512) / 896
        let red = color.isFullRange ? (cr - 512) / 1023 : (cr - 512) / 896
        let r = luma + 2 * (1 - kr) * red
        let b = luma + 2 * (1 - kb) * blue
        return [r, (luma - kr * r - kb * b) / (1 - kr - kb), b]
    }

    private func encode(_ rgb: [Double]) -> (y: Double, cb: Double, cr: Double) {
        let luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
        return (16 + 219 * luma, 128 + 224 * (rgb[2] - luma) / 1.8556, 128 + 224 * (rgb[0] - luma) / 1.5748)
    }

    /// Scales all three channels by the factor that the EETF gives for the brightest one. In the result 1 is the
    /// target's white.
    private func toneMapped(_ light: [Double]) -> [Double] {
        guard let brightest = light.max(), brightest > 0 else { return [0, 0, 0] }
        let mapped = LightModel.eetf(brightest)
        return light.map { $0 * mapped / brightest / LightModel.targetPeak }
    }

    // MARK: Published curves

    /// SMPTE ST 2084: 0...1 to cd/m2.
    static func pqToLight(_ value: Double) -> Double {
        let root = pow(value, 1 / 78.84375)
        return 10_000 * pow(max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
    }

    /// The inverse of `pqToLight`.
    static func lightToPQ(_ light: Double) -> Double {
        let power = pow(max(0, light) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// ARIB STD-B67 (BT.2100 HLG) to cd/m2 on a 1000 cd/m2 screen, system gamma 1.2.
    static func hlgToLight(_ rgb: [Double]) -> [Double] {
        let scene = rgb.map { value in
            value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
        let luma = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
        return scene.map { sourcePeak * pow(max(luma, 1e-9), 0.2) * $0 }
    }

    /// BT.2390's EETF for black at zero: identity below the knee, a Hermite spline above it.
    static func eetf(_ light: Double) -> Double {
        let whole = lightToPQ(sourcePeak)
        let e1 = min(1, lightToPQ(light) / whole)
        let peak = lightToPQ(targetPeak) / whole
        let knee = 1.5 * peak - 0.5
        guard e1 > knee else { return light }
        let t = (e1 - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let e2 = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * peak
        return pqToLight(e2 * whole)
    }
}
