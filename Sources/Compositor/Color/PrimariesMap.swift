import ExportPlan
import Media
import Glibc

/// Converts red, green and blue from one set of primaries to another in linear light, with the gamma of 2.4 that films
/// are shown with (ITU-R BT.1886 for black at zero). Colours that the other primaries do not have are clipped.
final class PrimariesMap {
    /// The steps of light after which a code value is looked up, by the square root of the light.
    private static let steps = 4096

    private let rows: [[Float]]
    private let light: [Float]
    private let code: [UInt8]

    /// - Returns: nil where nothing has to be converted.
    init?(from: ColorDescription.Primaries, to: ColorDescription.Primaries) {
        guard let matrix = from.matrix(to: to) else { return nil }
        rows = matrix.map { $0.map { Float($0) } }
        light = (0...255).map { Float(pow(Double($0) / 255, 2.4)) }
        code = (0...PrimariesMap.steps).map { step in
            let root = Double(step) / Double(PrimariesMap.steps)
            return UInt8((255 * pow(root * root, 1 / 2.4)).rounded())
        }
    }

    func map(_ color: RGBAColor) -> RGBAColor {
        let (red, green, blue) = map(color.red, color.green, color.blue)
        return RGBAColor(red: red, green: green, blue: blue, alpha: color.alpha)
    }

    /// Converts straight red, green, blue and alpha in bytes.
    func map(_ pixels: inout [UInt8]) {
        pixels.withUnsafeMutableBufferPointer { pixels in
            for place in stride(from: 0, to: pixels.count - 3, by: 4) {
                (pixels[place], pixels[place + 1], pixels[place + 2]) = map(
                    pixels[place], pixels[place + 1], pixels[place + 2])
            }
        }
    }

    /// Converts a picture of the format `rgba` in place.
    /// - Parameter isPremultiplied: whether the colours are multiplied by alpha.
    func map(_ frame: VideoFrame, isPremultiplied: Bool) {
        let plane = frame.plane(0)
        for y in 0..<plane.height {
            let row = plane.row(y)
            for x in 0..<plane.width {
                let pixel = row + 4 * x
                let alpha = isPremultiplied ? UInt32(pixel[3]) : 255
                guard alpha > 0 else { continue }
                func straight(_ value: UInt8) -> UInt8 {
                    alpha == 255 ? value : UInt8(min(255, (UInt32(value) * 255 + alpha / 2) / alpha))
                }
                let mapped = map(straight(pixel[0]), straight(pixel[1]), straight(pixel[2]))
                func covered(_ value: UInt8) -> UInt8 { UInt8((UInt32(value) * alpha + 127) / 255) }
                (pixel[0], pixel[1], pixel[2]) = (covered(mapped.0), covered(mapped.1), covered(mapped.2))
            }
        }
    }

    private func map(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> (UInt8, UInt8, UInt8) {
        let (r, g, b) = (light[Int(red)], light[Int(green)], light[Int(blue)])
        func value(_ row: [Float]) -> UInt8 {
            let sum = max(0, min(1, row[0] * r + row[1] * g + row[2] * b))
            return code[Int((sum.squareRoot() * Float(PrimariesMap.steps)).rounded())]
        }
        return (value(rows[0]), value(rows[1]), value(rows[2]))
    }
}

extension ColorDescription.Primaries {
    /// The rows of the matrix that converts linear light of these primaries to others, from the chromaticities in ITU-R
    /// BT.709 and BT.2020 and SMPTE RP 431-2 with the white D65 (SMPTE RP 177).
    /// - Returns: nil where the gamuts are the same. Only the gamuts of BT.709 and Display P3 are targets.
    func matrix(to target: ColorDescription.Primaries) -> [[Double]]? {
        switch (gamut, target.gamut) {
        case (.bt2020, .displayP3):
            [[1.343578, -0.282180, -0.061399], [-0.065297, 1.075788, -0.010490], [0.002822, -0.019598, 1.016777]]
        case (.bt2020, _):
            [[1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349], [-0.018151, -0.100579, 1.118730]]
        case (.displayP3, .displayP3): nil
        case (.displayP3, _): [[1.224940, -0.224940, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274]]
        case (_, .displayP3): [[0.822462, 0.177538, 0], [0.033194, 0.966806, 0], [0.017083, 0.072397, 0.910520]]
        default: nil
        }
    }
}
