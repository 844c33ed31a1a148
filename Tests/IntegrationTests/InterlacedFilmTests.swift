import TestSupport
import Testing
import FoundationEssentials

/// Films of interlaced sources, compared with `ffmpeg -vf bwdif` over the whole source. They are cut into segments at the
/// source's keyframes, and encoded without loss.
@Suite struct InterlacedFilmTests {
    private let directory: TemporaryDirectory
    private let width = 160
    private let height = 96

    init() async throws {
        directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=50", "-vf", "tinterlace=interleave_bottom,setfield=bff",
            "-frames:v", "300", "-c:v", "mpeg2video", "-q:v", "3", "-flags", "+ilme+ildct", "-g", "25", "-bf", "2",
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
            directory.file("a.ts"),
        ])
    }

    @Test(
        "A film shows the fields or the frames of an interlaced source as bwdif makes them, in every segment",
        arguments: [
            (#""frameRate": 50"#, "", "send_field"), (#""frameRate": 25"#, #", "speed": "1/2""#, "send_field"),
            (#""frameRate": 25"#, "", "send_frame"),
        ])
    func pictures(_ rate: String, _ speed: String, _ mode: String) async throws {
        let expected = try await raw(directory.file("a.ts"), ["-vf", "bwdif=mode=\(mode)"])
        let text = #"{"version": 1, \#(rate), "mainTrackClips": [{"type": "av", "url": "a.ts"\#(speed)}]}"#
        let film = try await SpoolTool.export(text, in: directory, name: "film.mkv", ["--set", "videoQuality=0", "--jobs", "2"])
        let plan = try await SpoolTool.run(["plan", film + ".json", "--cache", directory.file("cache")])
        #expect(plan.output.split(separator: "\n").count { $0.hasPrefix("video") } > 1, "\(plan.output)")
        let shown = try await raw(film, [])
        #expect(shown.count == expected.count && shown.count == (mode == "send_field" ? 600 : 300))
        for (index, (picture, wanted)) in zip(shown, expected).enumerated() where picture != wanted {
            let worst = zip(picture, wanted).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(worst <= 1, "picture \(index) differs by up to \(worst)")
        }
    }

    @Test("With deinterlace off a film shows the frames of the source, and a forced order is that of the fields")
    func choices() async throws {
        let frames = try await raw(directory.file("a.ts"), [])
        let wrong = try await raw(directory.file("a.ts"), ["-vf", "bwdif=mode=send_frame:parity=tff"])
        for (choice, expected) in [("off", frames), ("topFieldFirst", wrong)] {
            let text = """
                {"version": 1, "frameRate": 25, "mainTrackClips": [{"type": "av", "url": "a.ts", "deinterlace": "\(choice)"}]}
                """
            let film = try await SpoolTool.export(text, in: directory, name: "film.mkv", ["--set", "videoQuality=0"])
            #expect(try await raw(film, []) == expected, "\(choice)")
        }
    }

    /// The pictures of a film, each as one array.
    private func raw(_ path: String, _ filter: [String]) async throws -> [[UInt8]] {
        let file = directory.file("raw.yuv")
        try await FFmpegTool.ffmpeg(
            ["-flags", "bitexact", "-i", path, "-an"] + filter
                + ["-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", file])
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
        let count = width * height * 3 / 2
        return stride(from: 0, to: bytes.count - count + 1, by: count).map { Array(bytes[$0..<$0 + count]) }
    }
}
