import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// The output of commands on a terminal.
@Suite struct TerminalTests {
    @Test("An export's progress leaves nothing on the screen but the summary", arguments: [40, 60, 70, 80])
    func progress(_ columns: Int) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 240)
        let draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "n.mp4"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        let words = [
            SpoolTool.executable, "export", draft, "-o", directory.file("film.mp4"), "--cache", directory.file("cache"), "--jobs",
            "1",
        ]
        let outcome = try await PseudoTerminal.run(words, columns: columns)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("/240 frames") && outcome.output.contains(" %"), "\(outcome.output)")
        let summary = "\(directory.file("film.mp4")): 320x180, 240 frames at 30 a second, 1 of 1 segments rendered"
        #expect(outcome.screen.joined() == summary, "\(outcome.screen)")
    }

    @Test("An export's progress follows changes of the terminal's width and leaves only the summary", .slow)
    func changingWidth() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 600)
        let draft = directory.file("draft.json")
        try Data(
            #"{"version": 1, "videoSize": {"width": 1280, "height": 720}, "mainTrackClips": [{"type": "av", "url": "n.mp4", "transform": {"rotation": 0}}]}"#
                .utf8
        ).write(to: URL(fileURLWithPath: draft))
        let film = directory.file("film.mp4")
        let words = [
            SpoolTool.executable, "export", draft, "-o", film, "--cache", directory.file("cache"), "--jobs", "1", "--set",
            "encoderSpeed=veryslow",
        ]
        let widths = [80, 40, 24, 60, 12, 100]
        // The terminal changes to its next width as soon as a progress line is drawn.
        let outcome = try await PseudoTerminal.run(words, columns: widths, changingAfter: "%")
        #expect(outcome.status == 0, "\(outcome.output)")
        try #require(outcome.sections.map(\.columns) == widths, "the export was over before the terminal had all its widths")
        var longest = 0
        for section in outcome.sections {
            let lines = section.output.replacing("\r\n", with: "\r\u{1B}[K").split(separator: "\r\u{1B}[K")
                .filter { $0.contains("%") }
            #expect(!lines.isEmpty, "no line of progress at \(section.columns) columns")
            for line in lines {
                #expect(line.count < section.columns, "at \(section.columns) columns: \(line)")
                longest = max(longest, line.count)
            }
        }
        #expect(longest > 24, "the lines use the available width")
        let summary = "\(film): 1280x720, 600 frames at 30 a second, 4 of 4 segments rendered"
        #expect(outcome.screen.joined() == summary, "\(outcome.screen)")
    }

    @Test("File names with escape sequences are shown and not obeyed", arguments: ["probe", "validate", "frame"])
    func names(_ command: String) async throws {
        let directory = try TemporaryDirectory()
        let clip = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 5)
        let name = "\u{1B}]0;owned\u{7}\u{9B}2J\n.mp4"
        try FileManager.default.moveItem(atPath: clip, toPath: directory.file(name))
        let shown = #"\u001B]0;owned\u0007\u009B2J\n.mp4"#
        let draft = directory.file("draft.json")
        let url = #"\u001B]0;owned\u0007\u009B2J\n.mp4"#
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "gone\#(url)"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        let words =
            switch command {
            case "probe": ["probe", directory.file(name)]
            case "validate": ["validate", draft]
            default: ["frame", draft, "--time", "0", "-o", directory.file("none/\(name)")]
            }
        let outcome = try await SpoolTool.run(words + ["--cache", directory.file("cache")])
        let text = outcome.output + outcome.errors
        #expect(text.contains(shown), "\(text)")
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }
}
