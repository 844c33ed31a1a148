import ExportPlan
import TestSupport

/// ITU-R BT.709 limited-range code values of gamma-encoded R'G'B' 0...255 (BT.709-6, items 3.2 to 3.5), not rounded.
func bt709(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    let (r, g, b) = (red / 255, green / 255, blue / 255)
    let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
    return [16 + 219 * luma, 128 + 224 * (b - luma) / 1.8556, 128 + 224 * (r - luma) / 1.5748]
}

/// A picture of one opaque colour.
func flatPicture(_ color: RGBAColor, _ size: FrameSize) -> PlanarPicture {
    let code = bt709(Double(color.red), Double(color.green), Double(color.blue)).map { UInt8($0.rounded()) }
    return PlanarPicture(size: size, y: code[0], u: code[1], v: code[2])
}

/// The greatest difference between any sample and its expected value, in code values.
func largestError(_ picture: PlanarPicture, _ wanted: [[Double]]) -> Double {
    zip(picture.planes, wanted).reduce(0) { worst, planes in
        zip(planes.0, planes.1).reduce(worst) { max($0, abs(Double($1.0) - $1.1)) }
    }
}
