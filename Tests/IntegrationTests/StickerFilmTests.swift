import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// Stickers that are WebM videos with alpha (`alpha_mode`): the film shows through their transparent parts.
@Suite struct StickerFilmTests {
    private static let size = FrameSize(width: 96, height: 64)
    private static let film = FrameSize(width: 160, height: 96)

    /// Pixels of a sticker: an opaque red half, a half transparent blue quarter, and a transparent quarter.
    private static let pixels: [UInt8] = (0..<(size.width * size.height)).flatMap { index -> [UInt8] in
        let (x, y) = (index % size.width, index / size.width)
        if x < 48 { return [220, 30, 20, 255] }
        return y < 32 ? [20, 40, 210, 128] : [0, 0, 0, 0]
    }

    @Test(
        "A WebM sticker is drawn with its alpha, in its first loop and in later ones",
        arguments: [["libvpx", "-b:v", "4M"], ["libvpx-vp9", "-lossless", "1"]])
    func transparent(_ encoder: [String]) async throws {
        let directory = try TemporaryDirectory()
        // VP8 does not store its colour matrix; it is BT.601.
        try await RawVideo.write(
            Array(repeating: StickerFilmTests.pixels, count: 5), pixelFormat: "rgba", size: StickerFilmTests.size,
            options: [
                "-vf", "scale=out_color_matrix=\(encoder[0] == "libvpx" ? "bt601" : "bt709"):out_range=tv,format=yuva420p",
                "-pix_fmt", "yuva420p", "-auto-alt-ref", "0",
                "-c:v",
            ] + encoder + RawVideo.bt709, to: directory.file("sticker.webm"))
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=0x00c828:s=\(StickerFilmTests.film)", "-frames:v", "1", directory.file("background.png"),
        ])
        let draft = directory.file("draft.json")
        try Data(
            """
            {"version": 1, "frameRate": 25, "videoSize": {"width": 160, "height": 96},
             "mainTrackClips": [{"type": "image", "url": "background.png", "duration": 1}],
             "effects": [{"type": "imageSticker", "url": "sticker.webm", "destRect": {"x": 32, "y": 16, "width": 96, "height": 64}}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: draft))
        for time in ["0", "0.16", "0.5"] {
            let outcome = try await SpoolTool.run([
                "frame", draft, "--time", time, "-o", directory.file("frame.png"), "--cache", directory.file("cache"),
            ])
            try #require(outcome.status == 0, "\(outcome.errors)")
            let frames = try await RawVideo.decode(
                directory.file("frame.png"), pixelFormat: "rgb24",
                bytesPerFrame: StickerFilmTests.film.width * StickerFilmTests.film.height * 3)
            let frame = try #require(frames.first)
            func isNear(_ color: [Int], _ x: Int, _ y: Int) -> Bool {
                let place = (y * StickerFilmTests.film.width + x) * 3
                return (0..<3).allSatisfy { abs(Int(frame[place + $0]) - color[$0]) <= 10 }
            }
            let background = [0, 200, 40]
            #expect(isNear(background, 8, 8) && isNear(background, 150, 90), "beside the sticker at \(time) s")
            #expect(isNear([220, 30, 20], 50, 48), "the opaque part at \(time) s")
            #expect(isNear([10, 120, 125], 104, 30), "the half transparent part at \(time) s")
            #expect(isNear(background, 104, 64), "the transparent part at \(time) s")
        }
    }
}
