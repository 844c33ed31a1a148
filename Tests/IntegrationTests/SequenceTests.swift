import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Films of numbered pictures, read back by ffmpeg, GNU tar and Pillow.
@Suite struct SequenceTests {
    private static let draft = """
        {"version": 1, "frameRate": 25, "mainTrackClips": [
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 1, "duration": 7}},
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 1}}]}
        """
    private static let wanted = Array(25..<200) + Array(75..<100)

    private func source(in directory: TemporaryDirectory) throws {
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 220)
    }

    private func names(in directory: TemporaryDirectory, _ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file(folder)).sorted()
    }

    /// Exports a draft to outputs in directories that may not exist.
    private func export(
        _ draft: String, in directory: TemporaryDirectory, name: String, _ options: [String] = []
    ) async throws -> String {
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        let film = directory.file(name)
        let outcome = try await SpoolTool.run(
            ["export", path, "-o", film, "--cache", directory.file("cache")] + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(outcome.errors)") }
        return film
    }

    /// The numbers that pictures show, decoded by ffmpeg.
    private func numbers(of pattern: String, start: Int = 1, in directory: TemporaryDirectory) async throws -> [Int] {
        let film = directory.file("read.mkv")
        try await FFmpegTool.ffmpeg([
            "-start_number", "\(start)", "-framerate", "25", "-i", pattern, "-pix_fmt", "yuv420p", "-c:v", "ffv1", film,
        ])
        return try await SourceClips.numbers(of: film)
    }

    @Test(
        "Every picture has its number, and one and two processes make the same bytes",
        arguments: ["png", "jpg", "tif", "webp"])
    func pictures(_ suffix: String) async throws {
        let directory = try TemporaryDirectory()
        try source(in: directory)
        for jobs in ["1", "2"] {
            _ = try await export(
                SequenceTests.draft, in: directory, name: "frames\(jobs)/%05d.\(suffix)",
                ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")])
        }
        let found = try names(in: directory, "frames1")
        #expect(found.first == "00001.\(suffix)" && found.last == "00200.\(suffix)" && found.count == 200)
        for name in found {
            let pair = try ["frames1", "frames2"].map {
                try Data(contentsOf: URL(fileURLWithPath: directory.file("\($0)/\(name)")))
            }
            #expect(pair[0] == pair[1], "\(name)")
        }
        #expect(try await numbers(of: directory.file("frames1/%05d.\(suffix)"), in: directory) == SequenceTests.wanted)
    }

    @Test("Numbers begin where they are to, a directory names its pictures itself, and further exports use the cache")
    func naming() async throws {
        let directory = try TemporaryDirectory()
        try source(in: directory)
        _ = try await export(
            SequenceTests.draft, in: directory, name: "p-%d.png", ["--start-number", "98"])
        #expect(try names(in: directory, "").filter { $0.hasPrefix("p-") && $0.hasSuffix(".png") }.count == 200)
        #expect(try await numbers(of: directory.file("p-%d.png"), start: 98, in: directory) == SequenceTests.wanted)
        let path = directory.file("d.json")
        try Data(SequenceTests.draft.utf8).write(to: URL(fileURLWithPath: path))
        let outcome = try await SpoolTool.run([
            "export", path, "-o", directory.file("folder/"), "--set", "fileType=png",
            "--cache",
            directory.file("cache"), "--start-number", "0",
        ])
        #expect(outcome.status == 0 && outcome.output.contains("200 frames") && outcome.output.contains(" 0 of "))
        #expect(try names(in: directory, "folder").first == "00000.png")
        #expect(try names(in: directory, "folder").last == "00199.png")
    }

    @Test("An archive is read by tar, and standard output gets the same bytes")
    func archive() async throws {
        let directory = try TemporaryDirectory()
        try source(in: directory)
        let film = try await export(
            SequenceTests.draft, in: directory, name: "frames.tar", ["--set", "fileType=jpeg"])
        let piped = try await ShellTool.run(
            "cd '\(directory.path)'; '\(SpoolTool.executable)' export draft.json --set fileType=jpeg -o - --cache cache "
                + "| cmp - frames.tar && mkdir out && tar -xf frames.tar -C out && tar -tvf frames.tar"
        )
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.output.split(separator: "\n").count == 200)
        #expect(piped.output.contains("-rw-r--r-- 0/0") && piped.output.hasSuffix(" 00200.jpg\n"))
        #expect(try await numbers(of: directory.file("out/%05d.jpg"), in: directory) == SequenceTests.wanted)
        #expect(try Data(contentsOf: URL(fileURLWithPath: film)).count % 512 == 0)
    }

    @Test("Transparent pictures have the source's own pixels, and an animated WebP its alpha")
    func transparency() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i",
            "color=black:s=64x48:r=25:d=8,format=rgba,"
                + "geq=r='128+100*sin((X+N)/9)':g='Y*5':b='255-X*3':a='clip((X+Y+N-60)*4,0,255)'",
            "-frames:v", "200", "-c:v", "png", directory.file("moving.mov"),
        ])
        let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "moving.mov"}]}"#
        func pixels(_ input: String) async throws -> Data {
            let raw = directory.file("decoded.raw")
            try await FFmpegTool.ffmpeg(["-i", input, "-fps_mode", "passthrough", "-pix_fmt", "rgba", "-f", "rawvideo", raw])
            return try Data(contentsOf: URL(fileURLWithPath: raw))
        }
        let source = try await pixels(directory.file("moving.mov"))
        for suffix in ["png", "tif"] {
            _ = try await export(draft, in: directory, name: "a/%05d.\(suffix)", ["--set", "alpha=true"])
            #expect(try await pixels(directory.file("a/%05d.\(suffix)")) == source, "\(suffix)")
        }
        for name in ["w/%05d.webp", "f.webp"] {
            _ = try await export(draft, in: directory, name: name, ["--set", "alpha=true"])
        }
        let stills = try await PythonTool.run(
            """
            import sys
            from PIL import Image, ImageChops
            source = open(sys.argv[1], "rb").read()
            film = Image.open(sys.argv[2])
            shown = 0
            worst = 0
            for index in range(film.n_frames):
                film.seek(index)
                film.load()
                length = round(film.info["duration"] * 25 / 1000)
                alphas = [film.convert("RGBA").getchannel("A")]
                for frame in range(shown, shown + length):
                    alphas.append(Image.open(sys.argv[3] % (frame + 1)).convert("RGBA").getchannel("A"))
                    wanted = Image.frombytes("RGBA", (64, 48), source[frame * 12288:(frame + 1) * 12288]).getchannel("A")
                    for alpha in alphas: worst = max(worst, ImageChops.difference(alpha, wanted).getextrema()[1])
                shown += length
            print(shown, worst)
            """, [try write(source, in: directory), directory.file("f.webp"), directory.file("w/%05d.webp")])
        #expect(stills == "200 0\n")
    }

    private func write(_ data: Data, in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("source.rgba")
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "What does not name pictures, or cannot be in them, is refused",
        arguments: [
            (["-o", "film.png", "--set", "fileType=png"], Int32(64), "frames/%05d.png, name a directory, or an archive"),
            (["-o", "f/%05d.jpg", "--set", "fileType=png"], 64, "ends with .jpg, and the pictures are PNG pictures"),
            (["-o", "f/", "--set", "fileType=mp4"], 73, "'f/' names a directory"),
            (["-o", "f.mp4", "--start-number", "3"], 64, "--start-number numbers pictures"),
            (["-o", "f/%05d.png", "--start-number=-1"], 64, "0...1000000000"),
            (["-o", "f/%05d.png", "--set", "posterTime=1"], 65, "the files of the export are pictures already"),
            (["-o", "f/%05d.png", "--set", "channels=1"], 65, "the PNG pictures format has no sound"),
            (["-o", "f/%05d.png", "--set", "videoQuality=3"], 65, "settings.videoQuality: is not supported with PNG"),
            (["-o", "f/%05d.jpg", "--set", "alpha=true"], 65, "mjpeg in a jpeg file cannot keep transparency"),
            (["-o", "f/%05d.jpg", "--set", "videoBitrate=100000"], 65, "settings.videoBitrate: is not supported with JPEG"),
            (["-o", "kept/%05d.png", "--no-overwrite"], 73, "kept/00007.png' exists and is kept"),
            (["-o", "n.mp4/%05d.png"], 73, "n.mp4"),
        ])
    func refused(words: [String], status: Int32, message: String) async throws {
        let directory = try TemporaryDirectory()
        try source(in: directory)
        try Data(SequenceTests.draft.utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
        _ = try await ShellTool.run("mkdir '\(directory.file("kept"))'; touch '\(directory.file("kept/00007.png"))'")
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)'; '\(SpoolTool.executable)' export d.json --cache cache \(line)")
        #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
        let left = try await ShellTool.run("cd '\(directory.path)'; find . -name '*.png' -o -name '*.jpg' -o -name '.*partial'")
        #expect(left.output == "./kept/00007.png\n")
    }

    @Test("A picture that is a source of its own sequence is refused")
    func ownSource() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=1", directory.file("00002.png")])
        let draft = #"{"version": 1, "frameRate": 5, "mainTrackClips": [{"type": "image", "url": "00002.png", "duration": 1}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
        let outcome = try await SpoolTool.run(
            ["export", directory.file("d.json"), "-o", directory.file("%05d.png"), "--cache", directory.file("cache")])
        #expect(outcome.status == 65 && outcome.errors.contains("would destroy it"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("00001.png")))
    }
}
