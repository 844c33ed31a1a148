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

    @Test("The suffix decides the type, and the same picture comes out of every type")
    func types() async throws {
        let exact = try await picture(["frame", "--time", "2"], "exact.png")
        for (name, codec, limit) in [("a.jpg", "mjpeg", 3.0), ("a.JPEG", "mjpeg", 3), ("a.webp", "webp", 4)] {
            let other = try await picture(["frame", "--time", "2"], name)
            #expect(try await codec == self.codec(name))
            #expect(other.width == 320 && other.height == 180)
            let mean =
                zip(exact.bytes, other.bytes).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(exact.bytes.count)
            #expect(mean < limit, "\(name) differs by \(mean) on average")
        }
        try FileManager.default.createDirectory(atPath: directory.file(".png"), withIntermediateDirectories: false)
        for name in ["a", "a.gif", ".png/a", "c.mp4"] {
            let outcome = try await run(["frame", "--time", "2"], name)
            #expect(outcome.status == 64 && outcome.errors.contains(".png, .jpg, .jpeg or .webp"), "\(name): \(outcome.errors)")
        }
        let other = try await run(["frame", "--time", "2", "--format", "webp"], "b.png")
        #expect(other.status == 64 && other.errors.contains("--format"))
    }

    private func codec(_ name: String) async throws -> String {
        try await FFmpegTool.ffprobe(["-show_entries", "stream=codec_name", "-of", "csv=p=0", directory.file(name)])
            .split(whereSeparator: \.isWhitespace).joined()
    }

    @Test("A JPEG is JFIF with the colours that a decoder expects of one")
    func jfif() async throws {
        _ = try await picture(["frame", "--time", "2"], "a.jpg")
        let bytes = try #require(FileManager.default.contents(atPath: directory.file("a.jpg")))
        #expect(bytes.prefix(11) == Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0]))
        let range = try await FFmpegTool.ffprobe(
            ["-show_entries", "stream=color_range,color_space", "-of", "csv=p=0", directory.file("a.jpg")])
        #expect(range.contains("pc,bt470bg"), "\(range)")
    }

    @Test("A frame keeps its shape in a picture of another one: with borders, cut, or stretched where that is wanted")
    func fits() async throws {
        let plain = try await picture(["frame", "--time", "2", "--size", "160x90"], "plain.png")
        let contained = try await picture(["frame", "--time", "2", "--size", "160x160"], "contain.png")
        #expect(contained.part(x: 0, y: 35, width: 160, height: 90) == plain.bytes)
        let black = [UInt8](repeating: 0, count: 3 * 160 * 35)
        #expect(contained.part(x: 0, y: 0, width: 160, height: 35) == black)
        #expect(contained.part(x: 0, y: 125, width: 160, height: 35) == black)
        // The middle 180 of 320 columns, which FFmpeg cuts out of the whole frame.
        let whole = try await picture(["frame", "--time", "2"], "whole.png")
        let cover = try await picture(["frame", "--time", "2", "--size", "180x180", "--fit", "cover"], "cover.png")
        #expect(cover.bytes == whole.part(x: 70, y: 0, width: 180, height: 180))
        let stretched = try await picture(["frame", "--time", "2", "--size", "180x180", "--fit", "fill"], "fill.png")
        #expect(
            stretched.bytes != cover.bytes
                && stretched.part(x: 0, y: 0, width: 180, height: 1) != [UInt8](repeating: 0, count: 540))
        let limited = try await picture(["frame", "--time", "2", "--max-size", "160x1000"], "limited.png")
        #expect(limited.width == 160 && limited.height == 90 && limited.bytes == plain.bytes)
        let larger = try await picture(["frame", "--time", "2", "--max-size", "1000x1000"], "larger.png")
        #expect(larger.bytes == whole.bytes, "nothing is enlarged")
    }

    @Test("Standard output has the picture and nothing else, and names no file")
    func standardOutput() async throws {
        for (format, type) in [("png", "png"), ("jpeg", "jpg"), ("webp", "webp")] {
            let file = try await run(["frame", "--time", "1"], "file.\(type)")
            #expect(file.status == 0)
            let out = directory.file("out")
            let command =
                "'\(SpoolTool.executable)' frame '\(directory.file("draft.json"))' --cache '\(directory.file("cache"))' --time 1 "
                + "--format \(format) -o - > '\(out)' && test ! -e -"
            _ = try await ShellTool.run("cd '\(directory.path)' && \(command)")
            #expect(
                FileManager.default.contents(atPath: out) == FileManager.default.contents(atPath: directory.file("file.\(type)")))
        }
    }

    @Test("A media file stands for a draft of it, and its frames have its own size and times")
    func media() async throws {
        let outcome = try await SpoolTool.run(
            [
                "frame", directory.file("b.mp4"), "--time", "1.5", "-o", directory.file("m.png"), "--cache",
                directory.file("cache"),
            ])
        #expect(outcome.status == 0 && outcome.output.contains("frame 45 of 60"), "\(outcome.errors)")
        let size = try await FFmpegTool.ffprobe([
            "-show_entries", "stream=width,height", "-of", "csv=p=0", directory.file("b.mp4"),
        ])
        let drawn = try await FFmpegTool.ffprobe([
            "-show_entries", "stream=width,height", "-of", "csv=p=0", directory.file("m.png"),
        ])
        #expect(size.prefix(7) == "320,180" && drawn.prefix(7) == "320,180", "\(size) \(drawn)")
    }

    @Test("Snapshots are taken at the times that are named")
    func times() async throws {
        let outcome = try await SpoolTool.run(
            [
                "snapshots", directory.file("draft.json"), "--time", "3", "1/25", "0", "--json", "--format", "jpeg",
                "-o", directory.file("shots"), "--cache", directory.file("cache"),
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        struct Shot: Decodable {
            var frame: Int
            var path: String
        }
        let shots = try JSONDecoder().decode([Shot].self, from: Data(outcome.output.utf8))
        #expect(shots.map(\.frame) == [75, 1, 0])
        #expect(shots.map(\.path) == (1...3).map { directory.file("shots/snapshot-\($0).jpg") })
    }

    @Test("A picture that the cache has is not rendered a second time, unless that is wanted")
    func cached() async throws {
        let words = ["frame", "--time", "2"]
        _ = try await picture(words, "first.png")
        let folders = try FileManager.default.contentsOfDirectory(atPath: directory.file("cache")).filter { $0.count == 2 }
        let file = try #require(
            try folders.flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: directory.file("cache/\(folder)"))
                    .filter { $0.count == 64 }.map { directory.file("cache/\(folder)/\($0)") }
            }.first)
        func inode() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int)
        }
        let before = try inode()
        _ = try await picture(words, "second.png")
        #expect(try inode() == before)
        _ = try await picture(words + ["--no-cache"], "third.png")
        #expect(try inode() != before)
        let contents = ["first", "second", "third"].map { FileManager.default.contents(atPath: directory.file("\($0).png")) }
        #expect(contents[0] != nil && contents[1] == contents[0] && contents[2] == contents[0])
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
