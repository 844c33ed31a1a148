import ExactTime
import Testing
import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stopping an export in the middle: nothing half-written, no process left.
@Suite struct InterruptionTests {
    @Test("a signal ends the export, its processes and its temporary files", arguments: [("INT", 130), ("TERM", 143)])
    func interrupted(_ signal: String, _ status: Int) async throws {
        let directory = try TemporaryDirectory()
        try await prepare(directory)
        let outcome = try await exportInterrupted(
            in: directory,
            """
            kill -\(signal) $export
            wait $export; status=$?
            for child in $children; do kill -0 $child 2> /dev/null && echo "left: $child"; done
            exit $status
            """)
        #expect(outcome.status == Int32(status))
        #expect(!outcome.output.contains("left:"))
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!left.contains { $0.contains("film") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp") == [])
    }

    @Test("when spool itself is killed its rendering processes end, and the next export tidies up and succeeds")
    func killed() async throws {
        let directory = try TemporaryDirectory()
        try await prepare(directory)
        let outcome = try await exportInterrupted(
            in: directory,
            """
            # Stopped first: it may start another process after the list was taken.
            kill -STOP $export
            children=$(pgrep -P $export)
            kill -KILL $export
            for child in $children; do timeout 20 tail --pid=$child -f /dev/null || echo "left: $child"; done
            """)
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("left:"))
        // What a kill during the stitch leaves, by a process number that no process has.
        let partial = directory.file(".film.mp4.\(Int32.max).partial")
        #expect(FileManager.default.createFile(atPath: partial, contents: Data("half a film".utf8)))
        _ = try await SpoolTool.export(
            try String(contentsOfFile: directory.file("draft.json"), encoding: .utf8), in: directory)
        #expect(!FileManager.default.fileExists(atPath: partial))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp") == [])
    }

    /// Starts an export, waits until a segment is being written, and goes on with shell commands that know the export as
    /// `$export` and its rendering processes as `$children`.
    private func exportInterrupted(in directory: TemporaryDirectory, _ commands: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            """
            '\(SpoolTool.executable)' export '\(directory.file("draft.json"))' -o '\(directory.file("film.mp4"))' \
              --cache '\(directory.file("cache"))' --jobs 2 --set encoderSpeed=veryslow & export=$!
            until ls '\(directory.file("cache"))/tmp' 2> /dev/null | grep -q .; do
              kill -0 $export || exit 99
              read -t 0.05 < <(:) || true
            done
            children=$(pgrep -P $export)
            \(commands)
            """)
    }

    private func prepare(_ directory: TemporaryDirectory) async throws {
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 300)
        let draft = """
            {"version": 1, "videoSize": {"width": 1280, "height": 720}, "mainTrackClips": [
              {"type": "av", "url": "a.mp4"}, {"type": "av", "url": "a.mp4", "speed": 0.9}]}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }
}
