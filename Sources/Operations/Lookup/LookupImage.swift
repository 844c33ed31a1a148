import ExportPlan

/// Lookup tables stored as pictures, given as decoded 8-bit RGB pixels. There are two layouts: HaldCLUT (a square of
/// side level^3 with a cube of level^2 points, red fastest) and the 512x512 lookup image of photo apps (GPUImage's
/// layout: 8x8 tiles of 64x64, blue from tile to tile, red across, green down).
package enum LookupImage {
    /// How the points of the cube are laid out in the picture.
    package enum Arrangement: Sendable {
        case hald, tiles
    }

    /// Whether a picture of this size can be a lookup table.
    package static func isTable(width: Int, height: Int) -> Bool { level(width: width, height: height) != nil }

    /// The possible sizes, for messages.
    package static let sizes =
        "a lookup picture is square with a side of 8, 27, 64, 125, 216, 343, 512, 729, 1000 or 1331"

    private static func level(width: Int, height: Int) -> Int? {
        width == height ? (2...11).first { $0 * $0 * $0 == width } : nil
    }

    /// Reads the table from a picture. A 512x512 picture may have either layout. The layout in which neighbouring
    /// points have the more similar colours is chosen, because grading is continuous.
    ///
    /// - Parameters:
    ///   - pixels: red, green and blue bytes, row after row, `width` * `height` pixels.
    ///   - subject: the file's name, for messages.
    /// - Throws: `malformedTable` if the picture is not square or its side is not the cube of a number in 2...11.
    package static func table(
        width: Int, height: Int, pixels: [UInt8], subject: String
    ) throws(OperationError) -> LookupTable {
        guard let level = level(width: width, height: height), pixels.count == width * height * 3 else {
            throw OperationError(.malformedTable, subject: subject, message: "is \(width)x\(height); \(sizes)")
        }
        let hald = colors(pixels, level: level, .hald)
        guard level == 8 else { return LookupTable(.cube, points: level * level, colors: hald) }
        let tiles = colors(pixels, level: level, .tiles)
        let isHald = roughness(hald, points: 64) <= roughness(tiles, points: 64)
        return LookupTable(.cube, points: 64, colors: isHald ? hald : tiles)
    }

    /// The cube's colours, red fastest.
    private static func colors(_ pixels: [UInt8], level: Int, _ arrangement: Arrangement) -> [SIMD3<Float>] {
        let points = level * level
        let side = points * level
        return (0..<(points * points * points)).map { index in
            let place: Int
            switch arrangement {
            case .hald: place = index
            case .tiles:
                let (red, green, blue) = (index % points, index / points % points, index / (points * points))
                place = (blue / level * points + green) * side + blue % level * points + red
            }
            return SIMD3(Float(pixels[place * 3]), Float(pixels[place * 3 + 1]), Float(pixels[place * 3 + 2])) / 255
        }
    }

    /// The sum of squared differences between each colour and its neighbours one green step and one blue step on.
    private static func roughness(_ colors: [SIMD3<Float>], points: Int) -> Float {
        var sum: Float = 0
        for index in 0..<(colors.count - points * points - points) {
            let (green, blue) = (colors[index + points] - colors[index], colors[index + points * points] - colors[index])
            sum += (green * green).sum() + (blue * blue).sum()
        }
        return sum
    }
}
