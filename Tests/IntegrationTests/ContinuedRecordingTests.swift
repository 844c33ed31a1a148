import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Recordings that continue a draft: the frames of the film are numbered, so that it is seen where each comes from.
@Suite struct ContinuedRecordingTests: RecorderUser {
    /// A draft in a folder of its own: the frames 10...34 of a numbered source, with a template's title over them.
    private static func draft(in directory: TemporaryDirectory, _ more: String = "") throws -> String {
        let folder = directory.file("drafts")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try SourceClips.numbered("drafts/n.mp4", in: directory, rate: FrameRate(25), frames: 60)
        let path = "\(folder)/draft.json"
        try Data(
            #"""
            {"version": 1, "title": "{{name}}", "frameRate": 25, "mainTrackClips": [
              {"type": "av", "url": "n.mp4", "timeRange": {"start": "2/5", "duration": 1}},
              {"type": "color", "duration": 9, "when": "{{long}} == 'yes'"}],
             "audioClips": [{"url": "n.mp4", "volume": 0.1, "when": false}]\#(more)}
            """#.utf8
        ).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static let parameters = ["--param", "name=Holiday", "--param", "long=no"]

    @Test("The film has the draft's frames, then the recorded ones, at the draft's size and rate")
    func frames() async throws {
        let directory = try TemporaryDirectory()
        let draft = try Self.draft(in: directory)
        let begun = try await record(
            ["new", directory.file("r"), "--from", draft, "--set", "encoderSpeed=ultrafast", "--set", "maxDuration=2.4"]
                + Self.parameters, in: directory)
        #expect(begun.status == 0, "\(begun.errors)")
        let source = directory.file("drafts/n.mp4")
        try await append([source, "--speed", "2"], in: directory)
        let status = try await record(["status", directory.file("r")], in: directory)
        #expect(status.output.contains("continues a draft of one clip, 1 s"), "\(status.output)")
        #expect(try await self.status(in: directory).duration == Rational(11, 5))
        // Only 0.2 s are left until the maximum.
        try await append([source], in: directory)
        let full = try await self.status(in: directory)
        #expect(full.state == "full" && full.duration == Rational(12, 5) && full.clips.map(\.frameCount) == [60, 5])
        let film = try await finish(in: directory)
        let expected = Array(10..<35) + stride(from: 0, to: 60, by: 2) + Array(0..<5)
        #expect(try await SourceClips.numbers(of: film) == expected)
        let written = try String(contentsOfFile: directory.file("r/draft.json"), encoding: .utf8)
        #expect(written.contains("\"Holiday\"") && written.contains(source) && !written.contains("when"))
    }

    @Test("A draft that is changed afterwards, or lost, does not matter")
    func keptAsItWas() async throws {
        let directory = try TemporaryDirectory()
        let draft = try Self.draft(in: directory)
        let begun = try await record(["new", directory.file("r"), "--from", draft] + Self.parameters, in: directory)
        #expect(begun.status == 0, "\(begun.errors)")
        try FileManager.default.removeItem(atPath: draft)
        try await append([directory.file("drafts/n.mp4")], in: directory)
        #expect(try await SourceClips.numbers(of: try await finish(in: directory)).count == 85)
    }

    @Test(
        "Faults of the draft are told before anything is recorded",
        arguments: [
            (#", "timeRange": {"start": 0, "duration": 1}"#, Self.parameters, "draft.timeRange: would cut off what is recorded"),
            (
                #", "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "gone.png"}}]"#,
                Self.parameters, "layers[0].source.url: 'gone.png' does not exist"
            ),
            ("", [], "has no value"),
        ])
    func faults(_ more: String, _ words: [String], _ message: String) async throws {
        let directory = try TemporaryDirectory()
        let draft = try Self.draft(in: directory, more)
        let outcome = try await record(["new", directory.file("r"), "--from", draft] + words, in: directory)
        #expect(outcome.status == 65 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("r")))
    }
}
