import ExactTime
import ExportPlan
import TestSupport
import Testing

/// Transparent WebM films (VP8 and VP9 with a separate alpha stream for each picture), compared with ffmpeg's `overlay`
/// of libvpx's decoded pictures.
@Suite struct TransparentVideoTests {
    private static let size = FrameSize(width: 96, height: 64)
    private static let green = RGBAColor(red: 0, green: 200, blue: 40, alpha: 255)

    struct Kind: Sendable, CustomTestStringConvertible {
        var encoder: String
        var options: [String]
        var testDescription: String { encoder }
    }

    static let kinds = [
        Kind(encoder: "libvpx", options: ["-b:v", "2M", "-auto-alt-ref", "0"]),
        Kind(encoder: "libvpx-vp9", options: ["-lossless", "1", "-auto-alt-ref", "0"]),
    ]

    /// A red square that moves over a transparent background, beside a half-transparent blue one.
    private static func pixels(_ frame: Int) -> [UInt8] {
        (0..<(size.width * size.height)).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            if y < 32, (frame * 8..<frame * 8 + 16).contains(x) { return [220, 30, 20, 255] }
            if y >= 40, x >= 48 { return [20, 40, 210, 128] }
            return [0, 0, 0, 0]
        }
    }

    @Test(
        "A WebM film with alpha_mode shows what lies behind it as ffmpeg does, also after seeking back",
        arguments: kinds)
    func transparent(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("sticker.webm")
        try await RawVideo.write(
            (0..<10).map(TransparentVideoTests.pixels), pixelFormat: "rgba", size: TransparentVideoTests.size,
            options: [
                "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuva420p", "-pix_fmt", "yuva420p", "-c:v", kind.encoder,
                "-g", "4",
            ] + kind.options + RawVideo.bt709, to: path)
        let source = try TestSource(path)
        #expect(source.reference.facts.video?.hasAlpha == true)
        let frames = [0, 6, 3, 9]
        let rect = PixelRect(TransparentVideoTests.size)
        let placed = Layer(content: source.playing, placement: .whole(into: rect))
        let free = Layer(content: source.playing, placement: .whole(into: rect), transform: .constant(x: 48, y: 32))
        // VP8 does not declare its colours, and BT.601 is then assumed.
        let matrix = try #require(source.reference.facts.video?.color.matrix)
        let theirs = try await overlaid(path, kind, matrix, in: directory)
        for layer in [placed, free] {
            let drawn = try composed(
                [.solid(TransparentVideoTests.green), layer], canvas: TransparentVideoTests.size, source.sources, frames: frames)
            for (picture, frame) in zip(drawn, frames) {
                // The two chroma downscalers differ along edges.
                #expect(picture.meanDifference(from: theirs[frame]) < 0.5, "frame \(frame)")
                let background = flatPicture(TransparentVideoTests.green, TransparentVideoTests.size)
                #expect(picture.planes[0][36 * 96] == background.planes[0][0], "where nothing is the background is seen")
            }
        }
    }

    private func overlaid(_ film: String, _ kind: Kind, _ matrix: ColorDescription.Matrix, in directory: TemporaryDirectory)
        async throws -> [PlanarPicture]
    {
        let exact = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"
        let path = directory.file("overlaid.mkv")
        try await FFmpegTool.ffmpeg(
            [
                "-f", "lavfi", "-i", "color=0x00c828:s=\(TransparentVideoTests.size):r=25,format=rgb24", "-c:v", kind.encoder,
                "-i", film,
                "-filter_complex",
                "[1]scale=in_color_matrix=\(matrix.rawValue):in_range=tv:flags=bicubic+\(exact),format=rgba[sticker];"
                    + "[0][sticker]overlay=format=rgb:shortest=1,"
                    + "scale=out_color_matrix=bt709:out_range=tv:flags=area+\(exact),format=yuv420p[out]",
                "-map", "[out]", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
            ] + RawVideo.bt709 + [path])
        let (width, height) = (TransparentVideoTests.size.width, TransparentVideoTests.size.height)
        return try await RawVideo.decode(path, pixelFormat: "yuv420p", bytesPerFrame: width * height * 3 / 2)
            .map { PlanarPicture(size: TransparentVideoTests.size, bytes: $0) }
    }
}
