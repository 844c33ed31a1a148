import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Pictures with transparency, compared with compositing in `Double` on gamma-encoded RGB.
@Suite struct AlphaTests {
    private static let size = FrameSize(width: 48, height: 36)
    private static let backgrounds = [
        RGBAColor(red: 250, green: 250, blue: 250, alpha: 255), RGBAColor(red: 20, green: 120, blue: 60, alpha: 255),
    ]

    @Test("A picture with alpha at its own size composites within two code values", arguments: backgrounds)
    func ownSize(_ background: RGBAColor) async throws {
        var random = RandomNumbers(seed: 51)
        let pixels = (0..<(48 * 36)).map { index -> [UInt8] in
            let alpha = [0, 255, UInt8(index % 48 * 5), UInt8.random(in: 0...255, using: &random)][index / 48 % 4]
            return (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [alpha]
        }
        for opacity in [1, 0.6] {
            let picture = try await drawn(pixels, over: background, size: AlphaTests.size, opacity: opacity)
            let error = largestError(picture, reference(pixels, over: background, opacity: opacity))
            #expect(error <= 2, "at opacity \(opacity)")
        }
    }

    @Test(
        "White that fades into transparent black has no dark fringe on white, at any size",
        arguments: [
            FrameSize(width: 48, height: 36), FrameSize(width: 96, height: 72), FrameSize(width: 24, height: 18),
            FrameSize(width: 70, height: 50),
        ])
    func noFringe(_ size: FrameSize) async throws {
        let pixels = (0..<(48 * 36)).map { index -> [UInt8] in
            let (x, y) = (Double(index % 48) - 23.5, Double(index / 48) - 17.5)
            let inside = (x * x + y * y).squareRoot() < 13
            return inside ? [255, 255, 255, 255] : [0, 0, 0, 0]
        }
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        let picture = try await drawn(pixels, over: white, size: size)
        #expect(picture.largestDifference(from: flatPicture(white, size)) <= 2)
    }

    @Test("Fully transparent pixels leave the background untouched, whatever their colour", arguments: backgrounds)
    func invisible(_ background: RGBAColor) async throws {
        let pixels = [[UInt8]](repeating: [255, 0, 255, 0], count: 48 * 36)
        let picture = try await drawn(pixels, over: background, size: AlphaTests.size)
        #expect(picture == flatPicture(background, AlphaTests.size))
    }

    @Test("A rotated picture with alpha looks like its upright drawing", arguments: OrientationTests.all)
    func rotated(_ orientation: Orientation) async throws {
        // The upper left quarter is opaque red, and the rest is transparent.
        let pixels = (0..<(48 * 36)).map { index -> [UInt8] in
            index % 48 < 24 && index / 48 < 18 ? [255, 0, 0, 255] : [0, 0, 0, 0]
        }
        let black = RGBAColor.black
        let picture = try await drawn(pixels, over: black, size: AlphaTests.size, orientation: orientation)
        let (width, height) = (picture.size.width, picture.size.height)
        var corner = (right: orientation.mirrored, down: false)
        for _ in 0..<orientation.quarterTurns { corner = (right: !corner.down, down: corner.right) }
        let red = flatPicture(RGBAColor(red: 255, green: 0, blue: 0, alpha: 255), picture.size).planes[0][0]
        for (right, down) in [(false, false), (true, false), (false, true), (true, true)] {
            let luma = picture.planes[0][height * (down ? 3 : 1) / 4 * width + width * (right ? 3 : 1) / 4]
            let isRed = (right, down) == corner
            #expect(abs(Int(luma) - Int(isRed ? red : 16)) <= 1, "right \(right), down \(down)")
        }
    }

    private func drawn(
        _ pixels: [[UInt8]], over background: RGBAColor, size: FrameSize, opacity: Double = 1,
        orientation: Orientation = .upright
    ) async throws -> PlanarPicture {
        let directory = try TemporaryDirectory()
        let path = directory.file("alpha.png")
        try await RawVideo.write(
            [pixels.flatMap { $0 }], pixelFormat: "rgba", size: AlphaTests.size, options: ["-c:v", "png"], to: path)
        let source = try TestSource(path)
        let canvas = orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        let layer = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(canvas), orientation),
            opacity: .constant(opacity))
        return try composed([.solid(background), layer], canvas: canvas, source.sources)[0]
    }

    /// Composites straight alpha over one colour, pixel by pixel. A chroma sample is the mean of its four pixels.
    private func reference(_ pixels: [[UInt8]], over background: RGBAColor, opacity: Double) -> [[Double]] {
        let below = [background.red, background.green, background.blue].map(Double.init)
        let codes = pixels.map { pixel -> [Double] in
            let alpha = Double(pixel[3]) / 255 * opacity
            let rgb = (0..<3).map { Double(pixel[$0]) * alpha + below[$0] * (1 - alpha) }
            return bt709(rgb[0], rgb[1], rgb[2])
        }
        func mean(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            let corner = 2 * y * 48 + 2 * x
            return [0, 1, 48, 49].reduce(0) { $0 + codes[corner + $1][plane] } / 4
        }
        let chroma = [1, 2].map { plane in
            (0..<18).flatMap { y in (0..<24).map { x in mean(plane, x, y) } }
        }
        return [codes.map { $0[0] }] + chroma
    }
}
