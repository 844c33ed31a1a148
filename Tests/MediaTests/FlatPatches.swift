import ExportPlan
import TestSupport

/// A picture of sixteen flat colours in any pixel format, and the BT.709 limited-range values that they convert to,
/// computed with the formulas of ITU-R BT.601 and BT.709 in `Double`.
struct FlatPatches {
    enum Matrix { case bt601, bt709 }

    let layout: String
    let matrix: Matrix
    let isFullRange: Bool

    static let side = 16
    let size = FrameSize(width: 4 * FlatPatches.side, height: 4 * FlatPatches.side)

    /// Gamma-encoded R'G'B' values, 0...1: the corners, greys and colours between them.
    private static let colors: [[Double]] = [
        [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0.5, 0.5, 0.5],
        [0.2, 0.2, 0.2], [0.8, 0.6, 0.5], [0.3, 0.5, 0.7], [0.6, 0.2, 0.3], [0.1, 0.4, 0.2], [0.9, 0.8, 0.3], [0.4, 0.3, 0.8],
    ]

    var tags: [String] {
        let space = matrix == .bt601 ? "smpte170m" : "bt709"
        return [
            "-colorspace", space, "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", isFullRange ? "pc" : "tv",
        ]
    }

    private var depth: Int { layout.hasSuffix("10le") ? 10 : layout.hasSuffix("12le") ? 12 : 8 }

    /// The luma coefficients of red and blue, Kr and Kb.
    private var coefficients: (red: Double, blue: Double) {
        matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    }

    /// The raw picture in its pixel format.
    var bytes: [UInt8] {
        let across = layout.contains("444") ? 1 : 2
        let down = layout.contains("420") ? 2 : 1
        let luma = plane(0, 1, 1)
        let (blue, red) = (plane(1, across, down), plane(2, across, down))
        let samples = luma + blue + red
        return depth == 8 ? samples.map { UInt8($0) } : samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    private func plane(_ index: Int, _ across: Int, _ down: Int) -> [Int] {
        let codes = FlatPatches.colors.map { source($0)[index] }
        return (0..<(size.height / down)).flatMap { y in
            (0..<(size.width / across)).map { x in
                codes[y * down / FlatPatches.side * 4 + x * across / FlatPatches.side]
            }
        }
    }

    /// The code values of a colour in the source.
    private func source(_ rgb: [Double]) -> [Int] {
        let (kr, kb) = coefficients
        let luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
        let chroma = [(rgb[2] - luma) / (2 * (1 - kb)), (rgb[0] - luma) / (2 * (1 - kr))]
        let scale = Double(1 << (depth - 8))
        let peak = Double(1 << depth) - 1
        let middle = 128 * scale
        let codes =
            isFullRange
            ? [luma * peak] + chroma.map { middle + $0 * peak }
            : [(16 + 219 * luma) * scale] + chroma.map { middle + 224 * $0 * scale }
        return codes.map { min(Int(peak), Int($0.rounded())) }
    }

    /// The BT.709 limited-range code values of a colour, computed from the source's rounded code values.
    private func wanted(_ color: [Double]) -> [Double] {
        let (kr, kb) = coefficients
        let scale = Double(1 << (depth - 8))
        let peak = Double(1 << depth) - 1
        let codes = source(color).map(Double.init)
        let luma = isFullRange ? codes[0] / peak : (codes[0] / scale - 16) / 219
        let chroma = codes[1...].map { ($0 - 128 * scale) / (isFullRange ? peak : 224 * scale) }
        let red = luma + 2 * (1 - kr) * chroma[1]
        let blue = luma + 2 * (1 - kb) * chroma[0]
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        let shown = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        return [16 + 219 * shown, 128 + 224 * (blue - shown) / 1.8556, 128 + 224 * (red - shown) / 1.5748]
    }

    /// The greatest difference from the formulas, in the middle of any patch.
    func largestError(of picture: PlanarPicture, enlargedBy factor: Int) -> Double {
        var worst = 0.0
        for (index, color) in FlatPatches.colors.enumerated() {
            let codes = wanted(color)
            for plane in 0..<3 {
                let side = FlatPatches.side * factor / (plane == 0 ? 1 : 2)
                for y in (side / 2 - 1)...(side / 2) {
                    for x in (side / 2 - 1)...(side / 2) {
                        let place = (index / 4 * side + y) * picture.width(plane) + index % 4 * side + x
                        worst = max(worst, abs(Double(picture.planes[plane][place]) - codes[plane]))
                    }
                }
            }
        }
        return worst
    }
}
