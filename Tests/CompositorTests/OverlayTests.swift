import ExactTime
import ExportPlan
import TestSupport
import Testing

/// Pictures with transparency over a film, compared with ffmpeg's `overlay` in RGB.
@Suite struct OverlayTests {
    private static let canvas = FrameSize(width: 192, height: 128)
    private static let size = FrameSize(width: 96, height: 64)

    /// Squares of 8 pixels in colours that RGB can hold, so that ffmpeg's conversion to RGB and back keeps them.
    private static let background: PlanarPicture = {
        var random = RandomNumbers(seed: 90)
        var picture = PlanarPicture(size: canvas, y: 16, u: 128, v: 128)
        func color() -> RGBAColor {
            let parts = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
            return RGBAColor(red: parts[0], green: parts[1], blue: parts[2], alpha: 255)
        }
        for top in stride(from: 0, to: canvas.height, by: 8) {
            for left in stride(from: 0, to: canvas.width, by: 8) {
                picture.draw(
                    flatPicture(color(), FrameSize(width: 8, height: 8)),
                    at: PixelRect(x: left, y: top, width: 8, height: 8)
                ) { Double($1) }
            }
        }
        return picture
    }()

    /// A picture with colour gradients and every alpha value: sharp edges, soft edges and noise.
    private static let pixels: [UInt8] = {
        var random = RandomNumbers(seed: 91)
        return (0..<(size.width * size.height)).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            let alpha: UInt8 =
                switch y / 16 {
                case 0: 255
                case 1: UInt8(x * 255 / (size.width - 1))
                case 2: x / 12 % 2 == 0 ? 255 : 0
                default: UInt8.random(in: 0...255, using: &random)
                }
            return [UInt8(x * 2), UInt8(y * 3), UInt8(255 - x - y), alpha]
        }
    }()

    @Test(
        "A sticker is within one code value of ffmpeg's overlay in RGB, wherever it lies",
        arguments: [(48, 32), (7, 33), (130, -11)]
    )
    func witness(_ x: Int, _ y: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("sticker.png")
        try await RawVideo.write(
            [OverlayTests.pixels], pixelFormat: "rgba", size: OverlayTests.size, options: ["-c:v", "png"], to: path)
        let film = try await TestSource([OverlayTests.background], in: directory)
        let sticker = try TestSource(path)
        let (width, height) = (Double(OverlayTests.size.width), Double(OverlayTests.size.height))
        let layer = Layer(
            content: .still(source: sticker.hash), placement: .whole(into: PixelRect(OverlayTests.size)),
            transform: .constant(x: Double(x) + width / 2, y: Double(y) + height / 2))
        let base = Layer(content: film.playing, placement: .whole(into: PixelRect(OverlayTests.canvas)))
        let drawn = try composed(
            [base, layer], canvas: OverlayTests.canvas, film.sources.merging(sticker.sources) { first, _ in first })[0]
        let theirs = try await overlaid(film.reference.path, path, x, y, in: directory)
        let worst = (0..<3).map { plane in
            zip(drawn.planes[plane], theirs.planes[plane]).map { abs(Int($0) - Int($1)) }.max() ?? 0
        }
        print("sticker at (\(x), \(y)) beside ffmpeg's overlay: largest differences \(worst)")
        #expect(worst.allSatisfy { $0 <= 1 })
        #expect(drawn.meanDifference(from: OverlayTests.background) > 3)
    }

    /// ffmpeg converts chroma up by repetition and down by the mean, as Spool does for 4:2:0.
    private func overlaid(
        _ film: String, _ sticker: String, _ x: Int, _ y: Int, in directory: TemporaryDirectory
    ) async throws -> PlanarPicture {
        let exact = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"
        let path = directory.file("overlaid.mkv")
        try await FFmpegTool.ffmpeg(
            [
                "-i", film, "-i", sticker, "-filter_complex",
                "[0]scale=in_color_matrix=bt709:in_range=tv:flags=neighbor+\(exact),format=rgb24[background];"
                    + "[1]format=rgba[sticker];[background][sticker]overlay=x=\(x):y=\(y):format=rgb,"
                    + "scale=out_color_matrix=bt709:out_range=tv:flags=area+\(exact),format=yuv420p[out]",
                "-map", "[out]", "-frames:v", "1", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
            ] + RawVideo.bt709 + [path])
        let (width, height) = (OverlayTests.canvas.width, OverlayTests.canvas.height)
        let bytes = try await RawVideo.decode(path, pixelFormat: "yuv420p", bytesPerFrame: width * height * 3 / 2)[0]
        return PlanarPicture(size: OverlayTests.canvas, bytes: bytes)
    }
}
