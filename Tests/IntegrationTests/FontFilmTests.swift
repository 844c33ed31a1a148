import ContentHashing
import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Fonts of a draft, at the command line.
@Suite struct FontFilmTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let captions = "1\n00:00:00,000 --> 00:00:10,000\ncaption\n"
        try Data(captions.utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
    }

    private func write(_ source: String) throws {
        let draft = """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25, "mainTrackClips": [],
             "layers": [{"timeRange": {"start": 0, "duration": 2}, "source": \(source)}]}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    private func spool(_ words: String...) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(words + ["--cache", directory.file("cache")])
    }

    private func frame(_ name: String) async throws -> Data {
        let outcome = try await spool("frame", directory.file("draft.json"), "--time", "1", "-o", directory.file(name))
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
    }

    private func keys() async throws -> [String] {
        let plan = try await spool("plan", directory.file("draft.json"), "--json")
        return plan.output.matches(of: /"key" *: *"([0-9a-f]{64})"/).map { String($0.1) }
    }

    @Test(
        "A font beside the draft is used and part of the segment's key; a film without it fails by name",
        arguments: [
            #"{"type": "text", "text": "Title", "font": "QejaVu Sans 40"}"#,
            #"{"type": "captions", "url": "words.srt", "style": {"font": "QejaVu Sans 40"}}"#,
        ])
    func beside(_ source: String) async throws {
        guard RenamedFont.isPossible else { return }
        try write(source)
        let without = try await spool("frame", directory.file("draft.json"), "--time", "1", "-o", directory.file("x.png"))
        #expect(without.status == 69)
        #expect(without.errors.contains("QejaVu Sans"))
        try FileManager.default.createDirectory(atPath: directory.file("fonts"), withIntermediateDirectories: true)
        try RenamedFont.write(to: directory.file("fonts/Own.TTF"))
        let own = try await frame("own.png")
        let before = try await keys()
        #expect(before.count > 1)
        #expect(try await keys() == before)
        try RenamedFont.write(to: directory.file("fonts/Own.TTF"), revision: 1)
        #expect(try await keys() != before)
        #expect(try await frame("again.png") == own)
        // The result equals that of the font from which it was made.
        try write(source.replacing("QejaVu", with: "DejaVu"))
        #expect(try await frame("original.png") == own)
    }

    @Test("A directory in SPOOL_FONT_PATH adds to a machine's fonts")
    func machine() async throws {
        guard RenamedFont.isPossible else { return }
        try write(#"{"type": "captions", "url": "words.srt", "style": {"font": "QejaVu Sans 40"}}"#)
        try FileManager.default.createDirectory(atPath: directory.file("brand"), withIntermediateDirectories: true)
        try RenamedFont.write(to: directory.file("brand/Own.ttf"))
        let outcome = try await ShellTool.run(
            "SPOOL_FONT_PATH='\(directory.file("brand"))' '\(SpoolTool.executable)' frame '\(directory.file("draft.json"))' --time 1 "
                + "-o '\(directory.file("x.png"))' --cache '\(directory.file("cache"))'")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
