import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Compares conversions of colour and pixel format with formulas, and checks that copies and crops are exact.
@Suite struct PictureScalerTests {
    static let layouts = ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv444p12le"]

    @Test(
        "All matrices, ranges and pixel formats convert to BT.709 within two code values of the formulas",
        arguments: layouts, [false, true])
    func conversion(_ layout: String, _ isFullRange: Bool) async throws {
        for matrix in [FlatPatches.Matrix.bt601, .bt709] {
            let patches = FlatPatches(layout: layout, matrix: matrix, isFullRange: isFullRange)
            let (frame, color) = try await firstFrame(patches.bytes, layout, patches.size, patches.tags)
            #expect(color.isFullRange == isFullRange)
            for factor in [1, 2] {
                let size = FrameSize(width: patches.size.width * factor, height: patches.size.height * factor)
                let scaled = try PictureScaler(subject: "patches").scale(
                    frame, region: .whole, color: color, to: .yuv420, size: size)
                let error = patches.largestError(of: PlanarPicture(scaled), enlargedBy: factor)
                #expect(error <= 2, "\(matrix) enlarged by \(factor)")
            }
        }
    }

    @Test("A copy at the same size is bit-exact")
    func sameSize() throws {
        for size in [FrameSize(width: 64, height: 48), FrameSize(width: 50, height: 38)] {
            let picture = PlanarPicture.noise(size, seed: 21)
            let copy = try PictureScaler(subject: "noise").scale(
                try picture.frame(), region: .whole, color: .bt709, to: .yuv420, size: size)
            #expect(PlanarPicture(copy) == picture)
        }
    }

    @Test("A crop at even pixels without scaling is bit-exact")
    func evenCrop() throws {
        let picture = PlanarPicture.noise(FrameSize(width: 64, height: 48), seed: 22)
        let part = PixelRect(x: 10, y: 6, width: 36, height: 28)
        let region = fraction(part, of: picture.size)
        let copy = try PictureScaler(subject: "noise").scale(
            try picture.frame(), region: region, color: .bt709, to: .yuv420, size: part.size)
        #expect(PlanarPicture(copy) == cropped(picture, part))
    }

    @Test(
        "A crop at odd pixels keeps its luma exactly and does not shift its chroma",
        arguments: [
            PixelRect(x: 7, y: 4, width: 30, height: 20), PixelRect(x: 6, y: 9, width: 30, height: 20),
            PixelRect(x: 11, y: 13, width: 38, height: 24),
        ])
    func oddCrop(_ part: PixelRect) throws {
        // Chroma rises by two code values per column and falls by two per row, so a shift of half a pixel is an error
        // of one.
        let size = FrameSize(width: 64, height: 48)
        var picture = PlanarPicture.noise(size, seed: 23)
        for y in 0..<24 {
            for x in 0..<32 {
                picture.planes[1][y * 32 + x] = UInt8(60 + 4 * x)
                picture.planes[2][y * 32 + x] = UInt8(200 - 4 * y)
            }
        }
        let crop = PlanarPicture(
            try PictureScaler(subject: "gradient").scale(
                try picture.frame(), region: fraction(part, of: size), color: .bt709, to: .yuv420, size: part.size))
        #expect(crop.planes[0] == cropped(picture, part).planes[0])
        for y in 2..<(part.height / 2 - 2) {
            for x in 2..<(part.width / 2 - 2) {
                let index = y * part.width / 2 + x
                let blue = 60 + 2 * Double(part.x + 2 * x)
                let red = 200 - 2 * Double(part.y + 2 * y)
                #expect(abs(Double(crop.planes[1][index]) - blue) <= 2 && abs(Double(crop.planes[2][index]) - red) <= 2)
            }
        }
    }

    @Test("One scaler for changing pictures gives the same results as new scalers")
    func reuse() throws {
        let scaler = PictureScaler(subject: "noise")
        let large = try PlanarPicture.noise(FrameSize(width: 64, height: 48), seed: 24).frame()
        let small = try PlanarPicture.noise(FrameSize(width: 32, height: 24), seed: 25).frame()
        let target = FrameSize(width: 40, height: 30)
        let corner = Region(x: .zero, y: .zero, width: Rational(1, 2), height: Rational(1, 2))
        for (frame, region) in [(large, Region.whole), (small, .whole), (large, corner), (large, .whole)] {
            let used = try scaler.scale(frame, region: region, color: .bt709, to: .yuv420, size: target)
            let fresh = try PictureScaler(subject: "noise").scale(frame, region: region, color: .bt709, to: .yuv420, size: target)
            #expect(PlanarPicture(used) == PlanarPicture(fresh))
        }
    }

    @Test("Scaling a picture keeps its position and its mean")
    func geometry() throws {
        // The picture is a bright square on grey, whose centre of brightness must not move.
        let size = FrameSize(width: 60, height: 40)
        var picture = PlanarPicture(size: size, y: 50, u: 128, v: 128)
        for y in 10..<20 { for x in 24..<42 { picture.planes[0][y * 60 + x] = 200 } }
        for target in [FrameSize(width: 120, height: 80), FrameSize(width: 90, height: 60), FrameSize(width: 30, height: 20)] {
            let scaled = PlanarPicture(
                try PictureScaler(subject: "square").scale(
                    try picture.frame(), region: .whole, color: .bt709, to: .yuv420, size: target))
            let (x, y) = centre(scaled)
            #expect(abs(x - 33.0 / 60) < 0.003 && abs(y - 15.0 / 40) < 0.003, "\(x), \(y) at \(target)")
        }
    }

    private func centre(_ picture: PlanarPicture) -> (x: Double, y: Double) {
        var (sum, sumX, sumY) = (0.0, 0.0, 0.0)
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let light = Double(picture.planes[0][y * picture.size.width + x]) - 50
                sum += light
                sumX += light * (Double(x) + 0.5)
                sumY += light * (Double(y) + 0.5)
            }
        }
        return (sumX / sum / Double(picture.size.width), sumY / sum / Double(picture.size.height))
    }

    private func firstFrame(
        _ bytes: [UInt8], _ layout: String, _ size: FrameSize, _ tags: [String]
    ) async throws -> (VideoFrame, ColorDescription) {
        let directory = try TemporaryDirectory()
        let path = directory.file("patches.mkv")
        try await RawVideo.write([bytes], pixelFormat: layout, size: size, options: tags, to: path)
        let facts = try Probe.facts(ofFile: path)
        let color = try #require(facts.video?.color)
        return (try FrameReader(SourceReference(facts: facts, path: path)).frame(at: .zero), color)
    }

    private func fraction(_ part: PixelRect, of size: FrameSize) -> Region {
        func over(_ value: Int, _ total: Int) -> Rational { Rational(Int64(value), Int64(total)) }
        return Region(
            x: over(part.x, size.width), y: over(part.y, size.height), width: over(part.width, size.width),
            height: over(part.height, size.height))
    }

    private func cropped(_ picture: PlanarPicture, _ part: PixelRect) -> PlanarPicture {
        var result = PlanarPicture(size: part.size, y: 0, u: 0, v: 0)
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : 2
            for y in 0..<result.height(plane) {
                for x in 0..<result.width(plane) {
                    let from = (part.y / step + y) * picture.width(plane) + part.x / step + x
                    result.planes[plane][y * result.width(plane) + x] = picture.planes[plane][from]
                }
            }
        }
        return result
    }
}
