import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// `spool draft new`: a draft of files.
@Suite struct NewDraftTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 50)
        _ = try SourceClips.numbered("b.mp4", in: directory, rate: FrameRate(25), frames: 75)
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=size=320x180", "-frames:v", "1", directory.file("c.png")])
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1", directory.file("music.wav")])
    }

    private func new(_ words: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "cd '\(directory.path)' && '\(SpoolTool.executable)' draft new --cache '\(directory.file("cache"))' \(words)")
    }

    private struct Document: Decodable {
        struct Clip: Decodable {
            struct Transition: Decodable {
                var type: String
                var duration: Rational
            }

            var type: String?
            var url: String
            var duration: Rational?
            var loop: Bool?
            var transition: Transition?
        }

        var title: String?
        var mainTrackClips: [Clip]
        var audioClips: [Clip]?
    }

    private func document(_ data: Data) throws -> Document { try JSONDecoder().decode(Document.self, from: data) }

    @Test("Files play in order, pictures for their time, with transitions and music, and the draft can be exported")
    func files() async throws {
        let words =
            "a.mp4 c.png b.mp4 --transition dissolve --transition-duration 1/2 --picture-duration 2 --music music.wav "
            + "--size 160x90 --title 'My film' -o sub/draft.json"
        _ = try await ShellTool.run(
            "mkdir '\(directory.file("sub"))'; cp '\(directory.file("b.mp4"))' '\(directory.file("sub/d.mp4"))'")
        let outcome = try await new(words + " && true")
        #expect(
            outcome.status == 0 && outcome.output.contains("sub/draft.json: 150 frames, 6 s"),
            "\(outcome.output)\(outcome.errors)")
        let draft = try document(try #require(FileManager.default.contents(atPath: directory.file("sub/draft.json"))))
        #expect(draft.title == "My film" && draft.mainTrackClips.map(\.type) == ["av", "image", "av"])
        #expect(draft.mainTrackClips.map(\.duration) == [nil, Rational(2), nil])
        #expect(draft.mainTrackClips.map { $0.transition?.type } == [nil, "dissolve", "dissolve"])
        #expect(draft.mainTrackClips.last?.transition?.duration == Rational(1, 2))
        #expect(draft.audioClips?.first?.loop == true)
        // They do not lie in the folder of the draft.
        #expect(draft.mainTrackClips.map(\.url) == ["a.mp4", "c.png", "b.mp4"].map { directory.file($0) })
        let film = try await SpoolTool.run(
            ["export", directory.file("sub/draft.json"), "-o", directory.file("film.mp4"), "--cache", directory.file("cache")])
        #expect(film.status == 0, "\(film.errors)")
    }

    @Test("Paths in the draft's folder are relative to it, and without -o the draft is printed")
    func relative() async throws {
        let outcome = try await new("./a.mp4 '\(directory.file("b.mp4"))'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try document(Data(outcome.output.utf8)).mainTrackClips.map(\.url) == ["a.mp4", "b.mp4"])
    }

    @Test(
        "What cannot become a draft is refused by name, and nothing is written",
        arguments: [
            ("a.mp4 none.mp4 broken.mp4 -o d.json", Int32(65), ["none.mp4", "broken.mp4"]), ("-o d.json", 64, ["files"]),
            ("a.mp4 b.mp4 --transition dissolve --transition-duration 9 -o d.json", 65, ["mainTrackClips[1].transition"]),
            ("a.mp4 --transition sideways -o d.json", 64, ["sideways"]), ("a.mp4 b.mp4 -o a.mp4", 65, ["a.mp4"]),
        ])
    func refused(words: String, status: Int32, names: [String]) async throws {
        try Data("no media".utf8).write(to: URL(fileURLWithPath: directory.file("broken.mp4")))
        let outcome = try await new(words)
        #expect(outcome.status == status, "\(words): \(outcome.errors)")
        for name in names { #expect(outcome.errors.contains(name), "\(words): \(outcome.errors)") }
        #expect(!FileManager.default.fileExists(atPath: directory.file("d.json")))
    }
}
