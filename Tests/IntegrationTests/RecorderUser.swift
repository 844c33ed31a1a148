import ExactTime
import TestSupport
import FoundationEssentials

/// The fields of `spool record status --json` that the tests read.
struct RecordingStatus: Decodable {
    struct Clip: Decodable {
        var number: Int
        var url: String
        var frameCount: Int
        var duration: Rational
    }

    struct Lost: Decodable, Equatable {
        var number: Int
        var reason: String

        init(_ number: Int, _ reason: String) { (self.number, self.reason) = (number, reason) }
    }

    var state: String
    var duration: Rational
    var clips: [Clip]
    var lost: [Lost]
}

/// Tests that record at the command line, into the folder `r` of their own directory.
protocol RecorderUser {}

extension RecorderUser {
    /// Runs `spool record` with a recording in the directory and the cache beside it.
    func record(_ words: [String], in directory: TemporaryDirectory) async throws -> SpoolTool.Outcome {
        let usesCache = ["new", "set", "append", "finish", "snapshot", "music"].contains(words[0])
        return try await SpoolTool.run(["record"] + words + (usesCache ? ["--cache", directory.file("cache")] : []))
    }

    func begin(_ settings: [String] = [], in directory: TemporaryDirectory) async throws -> String {
        let values = [#"videoSize={"width": 320, "height": 180}"#, "encoderSpeed=ultrafast"] + settings
        let outcome = try await record(["new", directory.file("r")] + values.flatMap { ["--set", $0] }, in: directory)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool record new: \(outcome.errors)") }
        return directory.file("r")
    }

    func append(_ words: [String], in directory: TemporaryDirectory) async throws {
        let outcome = try await record(["append", directory.file("r")] + words, in: directory)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool record append: \(outcome.errors)") }
    }

    /// Records the output of a shell command through a pipe.
    func append(from command: String, _ options: String = "", in directory: TemporaryDirectory) async throws
        -> SpoolTool.Outcome
    {
        try await ShellTool.run(
            """
            \(command) 2> /dev/null | '\(SpoolTool.executable)' record append '\(directory.file("r"))' - \(options) \
              --cache '\(directory.file("cache"))'
            """)
    }

    func status(in directory: TemporaryDirectory) async throws -> RecordingStatus {
        let outcome = try await record(["status", directory.file("r"), "--json"], in: directory)
        return try JSONDecoder().decode(RecordingStatus.self, from: Data(outcome.output.utf8))
    }

    func finish(in directory: TemporaryDirectory) async throws -> String {
        let outcome = try await record(["finish", directory.file("r")], in: directory)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool record finish: \(outcome.errors)") }
        let film = directory.file("film.mp4")
        let exported = try await SpoolTool.run(
            ["export", directory.file("r/draft.json"), "-o", film, "--cache", directory.file("cache")])
        guard exported.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(exported.errors)") }
        return film
    }
}
