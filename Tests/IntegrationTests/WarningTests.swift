import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Every command that takes a draft prints warnings. They stop nothing, except with `--strict`.
@Suite struct WarningTests {
    private let directory: TemporaryDirectory
    private let draft: String

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("short.mp4", in: directory, rate: FrameRate(25), frames: 10)
        draft = directory.file("draft.json")
        let text = """
            {"version": 1, "mainTrackClips": [
              {"type": "av", "url": "short.mp4", "timeRange": {"start": 0, "duration": 5}}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
    }

    private func spool(_ words: [String]) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(words + ["--cache", directory.file("cache")])
    }

    private var commands: [[String]] {
        [
            ["validate", draft], ["export", draft, "-o", directory.file("film.mp4")], ["plan", draft], ["composition", draft],
            ["frame", draft, "--time", "0", "-o", directory.file("frame.png")],
            ["thumbnails", draft, "-o", directory.file("sheet.png")],
            ["snapshots", draft, "--count", "2", "-o", directory.file("shots")], ["clips", draft], ["time", draft],
            ["waveform", draft, "-o", directory.file("sound.png")],
            ["edit", draft, "--patch", directory.file("patch.json"), "-o", directory.file("edited.json")],
        ]
    }

    @Test("Every command that takes a draft prints warnings with place and remedy, and does its work")
    func printed() async throws {
        for words in commands {
            let outcome = try await spool(words)
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            let warnings = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(warnings.count == 1, "\(words): \(outcome.errors)")
            #expect(warnings.first?.hasPrefix("warning: mainTrackClips[0].timeRange") == true, "\(outcome.errors)")
            #expect(warnings.first?.contains("; ") == true, "\(outcome.errors)")
        }
    }

    @Test("Warnings with --strict give exit code 65, and nothing is rendered")
    func strict() async throws {
        for words in commands {
            let outcome = try await spool(words + ["--strict"])
            #expect(outcome.status == 65, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("warning: mainTrackClips[0].timeRange"), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("error: --strict takes warnings for errors\n"), "\(outcome.errors)")
        }
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: directory.path))
        #expect(left == ["cache", "draft.json", "patch.json", "short.mp4"])
    }

    private struct Result: Decodable {
        struct Warning: Decodable {
            var path: String
            var severity: String
            var remedy: String
        }
        var valid: Bool?
        var warnings: [Warning]
    }

    @Test("JSON includes the warnings", arguments: ["validate", "export", "plan", "composition", "time", "waveform"])
    func json(_ command: String) async throws {
        let words = try #require(commands.first { $0[0] == command })
        let outcome = try await spool(words + ["--json"])
        #expect(outcome.status == 0)
        let result = try JSONDecoder().decode(Result.self, from: Data(outcome.output.utf8))
        #expect(result.warnings.count == 1)
        #expect(result.warnings.first?.path.hasPrefix("mainTrackClips[0].timeRange") == true)
        #expect(result.warnings.first?.severity == "warning" && result.warnings.first?.remedy.isEmpty == false)
        if command == "validate" {
            #expect(result.valid == true)
            let strict = try await spool(words + ["--json", "--strict"])
            #expect(strict.status == 65)
            #expect(try JSONDecoder().decode(Result.self, from: Data(strict.output.utf8)).warnings.count == 1)
        }
    }
}
