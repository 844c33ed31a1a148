import ContentHashing
import ExactTime
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// No command destroys what it is given, and none begins to work for an output that cannot be written.
@Suite struct OutputTests {
    private let directory: TemporaryDirectory
    private let draft: String

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("beach.mp4", in: directory, rate: FrameRate(25), frames: 10)
        draft = directory.file("draft.json")
        let text = """
            {"version": 1, "videoSize": {"width": 64, "height": 36}, "mainTrackClips": [
              {"type": "av", "url": "beach.mp4", "filters": [{"type": "lut", "url": "table.cube"}]}],
             "layers": [{"timeRange": {"start": 0, "duration": 0.4}, "source": {"type": "captions", "url": "words.srt"}}], "cover": {"url": "cover.png"},
             "fonts": [{"url": "own.ttf"}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        let plain = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "beach.mp4"}]}"#
        try Data(plain.utf8).write(to: URL(fileURLWithPath: directory.file("plain.json")))
    }

    private func hashes() throws -> [String: String] {
        var hashes: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name != "cache" {
            hashes[name] = try? ContentHash.ofFile(directory.file(name)).hash  // nil for directories
        }
        return hashes
    }

    private func spool(_ words: [String]) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(words + ["--cache", directory.file("cache")])
    }

    @Test("an export refuses to replace anything that it is made from: footage, draft, font, captions, table, cover")
    func inputs() async throws {
        let table = "LUT_3D_SIZE 2\n" + (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
        try Data(table.utf8).write(to: URL(fileURLWithPath: directory.file("table.cube")))
        try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
        try FileManager.default.copyItem(
            atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", toPath: directory.file("own.ttf"))
        let cover = try await spool(["frame", directory.file("plain.json"), "--time", "0", "-o", directory.file("cover.png")])
        try #require(cover.status == 0, "\(cover.errors)")
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.mp4"), withDestinationPath: "beach.mp4")
        try #require(try await spool(["validate", draft]).status == 0)
        let before = try hashes()
        for (output, place) in [
            ("beach.mp4", "mainTrackClips[0].url"), ("link.mp4", "mainTrackClips[0].url"), ("draft.json", "the draft"),
            ("own.ttf", "fonts[0].url"), ("words.srt", "layers[0].source.url"),
            ("table.cube", "mainTrackClips[0].filters[0].url"), ("cover.png", "cover.url"),
        ] {
            let outcome = try await spool(["export", draft, "-o", directory.file(output)])
            #expect(outcome.status == 65, "\(output): \(outcome.errors)")
            #expect(
                outcome.errors.hasPrefix("error: \(place): the output '\(directory.file(output))' is this file itself"),
                "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("; name another output\n"))
        }
        #expect(try hashes() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp").isEmpty)
    }

    @Test("so does every other command that writes")
    func otherCommands() async throws {
        let before = try hashes()
        let (plain, clip) = (directory.file("plain.json"), directory.file("beach.mp4"))
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
        try FileManager.default.createDirectory(atPath: directory.file("shots"), withIntermediateDirectories: false)
        try FileManager.default.linkItem(atPath: clip, toPath: directory.file("shots/snapshot-2.png"))
        for words in [
            ["frame", plain, "--time", "0", "-o", clip], ["thumbnails", plain, "-o", clip], ["waveform", clip, "-o", clip],
            ["edit", plain, "--patch", directory.file("patch.json"), "-o", clip],
            ["edit", plain, "--patch", directory.file("patch.json"), "-o", directory.file("patch.json")],
            ["snapshots", plain, "--count", "3", "-o", directory.file("shots")],
        ] {
            let outcome = try await spool(words)
            #expect(outcome.status == 65, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("is this file itself"), "\(words): \(outcome.errors)")
        }
        let record = ["record", "new", directory.file("party")]
        #expect(try await spool(record).status == 0)
        #expect(try await spool(["record", "append", directory.file("party"), clip]).status == 0)
        let film = directory.file("party/clips/0001.mp4")
        let recorded = try ContentHash.ofFile(film).hash
        for words in [
            ["record", "finish", directory.file("party"), "-o", film],
            ["record", "snapshot", directory.file("party"), "--time", "0", "-o", film],
            ["record", "snapshot", directory.file("party"), "--time", "0", "-o", directory.file("s.png"), "--raw", clip],
        ] {
            let outcome = try await spool(words)
            #expect(outcome.status == 65 && outcome.errors.contains("is this file itself"), "\(words): \(outcome.errors)")
        }
        #expect(try ContentHash.ofFile(film).hash == recorded)
        let after = try hashes()
        for (name, hash) in before { #expect(after[name] == hash, "\(name)") }
        // Writing a draft back to its own file is what `edit` is for.
        let edited = try await spool(["edit", plain, "--patch", directory.file("patch.json"), "-o", plain])
        #expect(edited.status == 0, "\(edited.errors)")
    }

    @Test("an older film is replaced; with --no-overwrite it stays, and nothing is rendered")
    func older() async throws {
        let film = directory.file("film.mp4")
        try Data("old".utf8).write(to: URL(fileURLWithPath: film))
        let words = ["export", directory.file("plain.json"), "-o", film]
        let refused = try await spool(words + ["--no-overwrite"])
        #expect(refused.status == 73)
        #expect(refused.errors == "error: '\(film)' exists and is kept; name another file, or leave --no-overwrite out\n")
        #expect(try String(contentsOfFile: film, encoding: .utf8) == "old")
        #expect(!FileManager.default.fileExists(atPath: directory.file("cache")))
        #expect(try await spool(words).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: film)).count > 1000)
    }

    @Test("an output that cannot be written is found before anything is rendered: exit code 73")
    func unwritable() async throws {
        let plain = directory.file("plain.json")
        let file = directory.file("beach.mp4/below")
        _ = try await ShellTool.run("mkfifo '\(directory.file("pipe"))'")
        let words: [[String]] = [
            ["export", plain, "-o", directory.file("none/film.mp4")], ["export", plain, "-o", directory.path],
            ["export", plain, "-o", directory.file("pipe")], ["export", plain, "-o", "/proc/film.mp4"],
            ["frame", plain, "--time", "0", "-o", file], ["thumbnails", plain, "-o", file],
            ["snapshots", plain, "-o", file], ["waveform", plain, "-o", file],
            ["edit", plain, "--patch", plain, "-o", file],
        ]
        for words in words {
            let outcome = try await spool(words)
            #expect(outcome.status == 73, "\(words): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.contains("; "), "\(words): \(outcome.errors)")
        }
        #expect(try await SpoolTool.run(["sample-media", file]).status == 73)
        let farm = ["--server", "http://127.0.0.1:1", "--token", "t"]
        let id = "00000000-0000-0000-0000-000000000000"
        #expect(try await SpoolTool.run(["download", id, "-o", directory.path] + farm).status == 73)
        let segments = try? FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/artifacts")
        #expect(segments ?? [] == [])
        // A pipe or device in the output's place is no older film: it stays what it is.
        let pipe = try await ShellTool.run("test -p '\(directory.file("pipe"))'")
        #expect(pipe.status == 0)
    }
}
