import ExactTime
import ExportPlan
import Operations
import TestSupport
import Testing

/// Several operations in a row, and the conversions into and out of the work format.
@Suite struct ChainTests {
    @Test("Operations run in order and are not rounded or limited between them")
    func order() throws {
        let picture = PixelPicture.colorful()
        let found = try picture.applying([
            .constant("exposure", ["stops": 2]), .constant("exposure", ["stops": -2]), .constant("brightness", ["amount": 0.2]),
            .constant("contrast", ["amount": 0.5]),
        ])
        #expect(found.largestDifference(from: picture.mapped { _, _, color in (color + 0.2 - 0.5) * 0.5 + 0.5 }) <= 1)
        #expect(
            try picture.applying([.constant("exposure", ["stops": 2]), .constant("exposure", ["stops": -2])]) == picture)
    }

    @Test("A spatial operation between pixel-wise ones reads the first one's result and feeds the last one")
    func mixed() throws {
        let picture = PixelPicture.colorful()
        let found = try picture.applying([.constant("invert"), .constant("mosaic", ["size": 4]), .constant("invert")])
        #expect(found.largestDifference(from: try picture.applying([.constant("mosaic", ["size": 4])])) <= 1)
    }

    @Test("4:2:0 is converted by BT.709, changed and averaged", arguments: [(34, 18), (33, 17), (2, 2), (1, 1)])
    func planar(_ width: Int, _ height: Int) throws {
        let picture = PlanarPicture.noise(FrameSize(width: width, height: height), seed: 11)
        let sepia = [ExportPlan.Operation.constant("sepia", ["amount": 0.8]), .constant("brightness", ["amount": 0.1])]
        #expect(try picture.applying(sepia).largestDifference(from: reference(picture, sepiaAndLight)) <= 1)
        // The same on whole planes. A mosaic of one pixel would be neutral, so this uses a sharpening that changes next
        // to nothing.
        let whole = sepia + [.constant("sharpen", ["amount": 1e-7])]
        #expect(try picture.applying(whole).largestDifference(from: try picture.applying(sepia)) <= 1)
    }

    @Test("A keyed 4:2:0 picture fills its alpha plane, also through a spatial operation, and needs none")
    func planarAlpha() throws {
        let size = FrameSize(width: 16, height: 8)
        // BT.709 green on the left, grey on the right.
        var picture = PlanarPicture(size: size, y: 126, u: 128, v: 128)
        for y in 0..<8 { for x in 0..<8 { picture.planes[0][y * 16 + x] = 173 } }
        for y in 0..<4 {
            for x in 0..<4 { (picture.planes[1][y * 8 + x], picture.planes[2][y * 8 + x]) = (42, 26) }
        }
        let key = ExportPlan.Operation.constant("chromaKey")
        let keyed = try picture.applyingWithAlpha([key])
        for (index, alpha) in keyed.alpha.enumerated() { #expect(alpha == (index % 16 < 8 ? 0 : 255)) }
        let squares = try picture.applyingWithAlpha([key, .constant("mosaic", ["size": 16])])
        #expect(squares.alpha.allSatisfy { $0 == 127 || $0 == 128 })
        // Only the grey contributes to the colour of the squares.
        #expect(squares.picture.largestDifference(from: PlanarPicture(size: size, y: 126, u: 128, v: 128)) <= 1)
        #expect(try picture.applying([key]) == keyed.picture)
    }

    @Test("Colours inside the gamut are restored by a chain that undoes itself")
    func roundTrip() throws {
        var picture = PlanarPicture.noise(FrameSize(width: 64, height: 64), seed: 5)
        picture.planes[0] = picture.planes[0].map { 100 + $0 % 40 }
        for plane in 1...2 { picture.planes[plane] = picture.planes[plane].map { 118 + $0 % 20 } }
        let found = try picture.applying([.constant("exposure", ["stops": 1]), .constant("exposure", ["stops": -1])])
        #expect(found == picture)
    }

    private func sepiaAndLight(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let rows = [SIMD3(0.393, 0.769, 0.189), SIMD3(0.349, 0.686, 0.168), SIMD3(0.272, 0.534, 0.131)]
        let brown = SIMD3((color * rows[0]).sum(), (color * rows[1]).sum(), (color * rows[2]).sum())
        return color + (brown - color) * 0.8 + 0.1
    }

    /// Converts BT.709 limited range to R'G'B' and back, pixel by pixel.
    private func reference(_ picture: PlanarPicture, _ change: (SIMD3<Double>) -> SIMD3<Double>) -> PlanarPicture {
        var result = picture
        let (width, height) = (picture.size.width, picture.size.height)
        var sums = [[Double]](repeating: [Double](repeating: 0, count: picture.planes[1].count), count: 2)
        var counts = [Double](repeating: 0, count: picture.planes[1].count)
        for y in 0..<height {
            for x in 0..<width {
                let chroma = y / 2 * picture.width(1) + x / 2
                let luma = (Double(picture.planes[0][y * width + x]) - 16) / 219
                let pb = (Double(picture.planes[1][chroma]) - 128) / 224
                let pr = (Double(picture.planes[2][chroma]) - 128) / 224
                let (red, blue) = (luma + 2 * (1 - 0.2126) * pr, luma + 2 * (1 - 0.0722) * pb)
                let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
                let color = change(SIMD3(red, green, blue)).clamped(lowerBound: .zero, upperBound: .one)
                let changed = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
                result.planes[0][y * width + x] = UInt8((16 + 219 * changed).rounded())
                sums[0][chroma] += (color.z - changed) / (2 * (1 - 0.0722))
                sums[1][chroma] += (color.x - changed) / (2 * (1 - 0.2126))
                counts[chroma] += 1
            }
        }
        for plane in 0..<2 {
            result.planes[plane + 1] = zip(sums[plane], counts).map { UInt8((128 + 224 * $0 / $1).rounded()) }
        }
        return result
    }
}
