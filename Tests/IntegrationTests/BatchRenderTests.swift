import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// `spool batch render`: the films of all rows on this machine.
@Suite("Batches on this machine")
struct BatchRenderTests {
    @Test("Each row that fails is named with its line, and the other rows are rendered")
    func failing() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 5, tone: nil)
        for (name, text) in [
            ("b.mp4", "no media"), ("rows.csv", "clip\na\nb\na\nb\n"),
            ("draft.json", #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "{{clip}}.mp4"}]}"#),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
        }
        let (rows, films) = (directory.file("rows.csv"), directory.file("films"))
        let outcome = try await SpoolTool.run([
            "batch", "render", directory.file("draft.json"), "--rows", rows, "--output", "{{row}}", "-o", films, "--set",
            "encoderSpeed=ultrafast", "--cache", directory.file("cache"),
        ])
        #expect(outcome.status == 65, "\(outcome.errors)")
        let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        #expect(errors.count == 2, "\(outcome.errors)")
        for (error, message) in zip(
            errors,
            [
                "error: \(rows): row 2 (line 3): mainTrackClips[0].url: ",
                "error: \(rows): row 4 (line 5): mainTrackClips[0].url: ",
            ])
        {
            #expect(error.hasPrefix(message), "\(error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: films).sorted() == ["1.mp4", "3.mp4"])
    }
}
