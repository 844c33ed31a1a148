import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// The poster and the sprites beside a film.
@Suite struct FilmPictureTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 100)
        _ = try SourceClips.numbered("b.mp4", in: directory, rate: FrameRate(30), frames: 60)
    }

    private let draft = """
        {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25, "mainTrackClips": [
          {"type": "av", "url": "a.mp4"},
          {"type": "av", "url": "b.mp4", "transition": {"type": "dissolve", "duration": 1}}]}
        """

    private let settings = ["--set", "posterTime=4", "--set", "spriteInterval=2/5", "--set", "spriteWidth=160"]

    private func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: directory.file(name)) }

    @Test("The poster is the frame at its time, and each sprite the frame at the time that the index gives it")
    func frames() async throws {
        _ = try await SpoolTool.export(draft, in: directory, settings)
        try await draw(["frame", "--time", "4"], "poster.jpg")
        #expect(bytes("film.poster.jpg") == bytes("poster.jpg") && bytes("poster.jpg") != nil)
        let text = String(decoding: try #require(bytes("film.sprites.vtt")), as: UTF8.self)
        let cues = text.split(separator: "\n").dropFirst()
        // Five seconds in parts of 0.4 s are 13 sprites.
        #expect(text.hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:00.400\nfilm.sprites-1.jpg#xywh=0,0,160,90\n"))
        #expect(cues.count == 26 && text.hasSuffix("00:00:04.800 --> 00:00:05.000\nfilm.sprites-1.jpg#xywh=320,90,160,90\n"))
        let sheet = try await rgb("film.sprites-1.jpg", width: 1600, height: 180)
        for sprite in 0..<13 {
            try await draw(["frame", "--time", "\(sprite * 2)/5", "--size", "160x90"], "frame.png")
            let frame = try await rgb("frame.png", width: 160, height: 90)
            let (left, top) = (sprite % 10 * 160, sprite / 10 * 90)
            var difference = 0.0
            for y in 0..<90 {
                for x in 0..<480 {
                    difference += abs(Double(frame[y * 480 + x]) - Double(sheet[(top + y) * 4800 + left * 3 + x]))
                }
            }
            #expect(difference / Double(frame.count) < 3, "sprite \(sprite) differs by \(difference / Double(frame.count))")
        }
    }

    @Test("The film has the bytes that it has without pictures, and the pictures are the same for any number of processes")
    func bytes() async throws {
        _ = try await SpoolTool.export(draft, in: directory, name: "plain.mp4")
        let other = try TemporaryDirectory()
        for name in ["a.mp4", "b.mp4"] {
            try FileManager.default.copyItem(atPath: directory.file(name), toPath: other.file(name))
        }
        _ = try await SpoolTool.export(draft, in: directory, settings + ["--jobs", "1"])
        _ = try await SpoolTool.export(draft, in: other, settings + ["--jobs", "2"])
        #expect(bytes("film.mp4") == bytes("plain.mp4"))
        for name in ["film.mp4", "film.poster.jpg", "film.sprites-1.jpg", "film.sprites.vtt"] {
            #expect(bytes(name) == FileManager.default.contents(atPath: other.file(name)) && bytes(name) != nil, "\(name)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: other.path).sorted()
        #expect(left.filter { $0.hasPrefix(".") }.isEmpty, "nothing is left behind: \(left)")
    }

    @Test("A picture does not overwrite a source or a file that is to stay, and then there is no film")
    func places() async throws {
        try FileManager.default.moveItem(atPath: directory.file("b.mp4"), toPath: directory.file("film.poster.jpg"))
        let source = bytes("film.poster.jpg")
        let text = draft.replacing("b.mp4", with: "film.poster.jpg")
        await #expect(throws: FFmpegTool.Failure.self) { try await SpoolTool.export(text, in: directory, settings) }
        #expect(bytes("film.poster.jpg") == source && bytes("film.mp4") == nil)
        let kept = try await SpoolTool.run(
            [
                "export", directory.file("film.mp4.json"), "-o", directory.file("other.mp4"), "--cache", directory.file("cache"),
                "--no-overwrite",
            ] + settings)
        #expect(kept.status == 0, "\(kept.errors)")
        try FileManager.default.removeItem(atPath: directory.file("other.mp4"))
        let refused = try await SpoolTool.run(
            [
                "export", directory.file("film.mp4.json"), "-o", directory.file("other.mp4"), "--cache", directory.file("cache"),
                "--no-overwrite",
            ] + settings)
        #expect(refused.status == 73 && refused.errors.contains("other.poster.jpg"), "\(refused.errors)")
        #expect(bytes("other.mp4") == nil)
    }

    @Test("A picture that another process removes from the cache while the film is joined is named with what to do")
    func goneFromCache() async throws {
        _ = try await SpoolTool.export(draft, in: directory, settings)
        // The film is joined again, from segments and pictures that are in the cache.
        for name in ["film.mp4", "film.poster.jpg", "film.sprites-1.jpg", "film.sprites.vtt"] {
            try FileManager.default.removeItem(atPath: directory.file(name))
        }
        let renderer = URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/spool-render"
        let removing = directory.file("removing-renderer")
        let script = """
            #!/bin/bash
            while IFS= read -r line; do
              if [[ "$line" == *'"stitch":'* ]]; then
                for file in '\(directory.file("cache"))'/??/*; do
                  [ "$(head -c 3 "$file" | od -An -tx1 | tr -d ' ')" != ffd8ff ] || rm -f "$file" "$file.sum"
                done
              fi
              printf '%s\\n' "$line"
            done | '\(renderer)' "$@"
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: removing))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: removing)
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)' && SPOOL_RENDER_EXECUTABLE='\(removing)' '\(SpoolTool.executable)' export film.mp4.json -o film.mp4 "
                + "--cache cache --set encoderSpeed=ultrafast \(settings.joined(separator: " "))")
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("is gone from the cache, which another process has changed; start the export again"),
            "\(outcome.errors)")
        #expect(bytes("film.mp4") == nil && bytes("film.poster.jpg") == nil)
    }

    private func draw(_ words: [String], _ name: String) async throws {
        let outcome = try await SpoolTool.run(
            [words[0], directory.file("film.mp4.json"), "-o", directory.file(name), "--cache", directory.file("cache")]
                + words.dropFirst())
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private func rgb(_ name: String, width: Int, height: Int) async throws -> [UInt8] {
        try #require(
            try await RawVideo.decode(directory.file(name), pixelFormat: "rgb24", bytesPerFrame: 3 * width * height).first)
    }
}
