import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// `spool frame` and `spool thumbnails`: single frames made by the code that renders films.
@Suite struct PictureTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 100)
        _ = try SourceClips.numbered("b.mp4", in: directory, rate: FrameRate(30), frames: 60)
        let draft = """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25, "mainTrackClips": [
              {"type": "av", "url": "a.mp4"},
              {"type": "av", "url": "b.mp4", "transition": {"type": "dissolve", "duration": 1}}]}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    @Test("Each shot of a contact sheet is bit-identical to the frame of `spool frame` at its time")
    func sheet() async throws {
        // The middles of 10 parts of 12.5 frames, of 125 frames.
        let frames = [6, 18, 31, 43, 56, 68, 81, 93, 106, 118]
        let sheet = try await picture(["thumbnails", "--count", "10", "--columns", "4", "--size", "160x90"], "sheet.png")
        #expect(sheet.width == 4 * 160 + 3 * 4 && sheet.height == 3 * 90 + 2 * 4)
        for (index, frame) in frames.enumerated() {
            let alone = try await picture(["frame", "--time", "\(frame)/25", "--size", "160x90"], "\(frame).png")
            #expect(alone.width == 160 && alone.height == 90)
            #expect(sheet.part(x: index % 4 * 164, y: index / 4 * 94, width: 160, height: 90) == alone.bytes, "frame \(frame)")
        }
    }

    @Test("A frame has the film's size by default, and a time range of the film may be chosen")
    func choices() async throws {
        let whole = try await picture(["frame", "--time", "0"], "whole.png")
        #expect(whole.width == 320 && whole.height == 180)
        // Frames 50..<60 in five parts of two frames give the second frame of each.
        let some = try await picture(
            ["thumbnails", "--count", "5", "--columns", "1", "--start", "2", "--end", "2.4", "--size", "320x180"], "some.png")
        #expect(some.height == 5 * 180 + 4 * 4)
        let fourth = try await picture(["frame", "--time", "57/25"], "57.png")
        #expect(some.part(x: 0, y: 3 * 184, width: 320, height: 180) == fourth.bytes)
    }

    @Test(
        "Pictures that cannot be drawn are refused with the reason",
        arguments: [
            (["frame", "--time", "5"], Int32(65), "outside the video"), (["frame", "--time", "x"], 64, "--time"),
            (["frame", "--time", "1", "--size", "0x5"], 64, "--size"), (["thumbnails", "--count", "0"], 64, "--count"),
            (["thumbnails", "--start", "3", "--end", "2"], 64, "--start must come before --end"),
            (["thumbnails", "--start", "5"], 65, "outside the video"),
        ])
    func refused(words: [String], status: Int32, message: String) async throws {
        let outcome = try await run(words, "none.png")
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("none.png")))
    }

    private func run(_ words: [String], _ name: String) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(
            [words[0], directory.file("draft.json"), "-o", directory.file(name), "--cache", directory.file("cache")]
                + words.dropFirst())
    }

    private func picture(_ words: [String], _ name: String) async throws -> DecodedPicture {
        let outcome = try await run(words, name)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try await DecodedPicture(directory.file(name))
    }
}

/// An image decoded by `ffmpeg`, with three bytes for each pixel.
private struct DecodedPicture {
    let width: Int
    let height: Int
    let bytes: [UInt8]

    init(_ path: String) async throws {
        let size = try await FFmpegTool.ffprobe(["-show_entries", "stream=width,height", "-of", "csv=p=0", path])
        let sides = size.split { !$0.isNumber }.compactMap { Int($0) }
        width = try #require(sides.first)
        height = try #require(sides.last)
        bytes = try #require(
            try await RawVideo.decode(path, pixelFormat: "rgb24", bytesPerFrame: 3 * width * height).first)
    }

    func part(x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
        var part: [UInt8] = []
        for row in y..<(y + height) {
            let start = 3 * (row * self.width + x)
            part += bytes[start..<(start + 3 * width)]
        }
        return part
    }
}
