import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Stopping an export in the middle leaves no partial file and no process.
@Suite struct InterruptionTests {
    @Test(
        "A signal ends an export and removes its files", arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
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

    @Test("An export started with nohup continues when the terminal is closed")
    func nohup() async throws {
        let directory = try TemporaryDirectory()
        try await prepare(directory)
        let outcome = try await exportInterrupted(
            in: directory,
            """
            kill -HUP $export
            read -t 0.5 < <(:) || true
            kill -0 $export && echo goes on
            kill -INT $export
            wait $export
            """, before: "trap '' HUP")
        #expect(outcome.output.contains("goes on"))
        #expect(outcome.status == 130)
    }

    @Test("An export whose film directory is removed ends with exit code 73")
    func removedDirectory() async throws {
        let directory = try TemporaryDirectory()
        try await prepare(directory)
        try FileManager.default.createDirectory(atPath: directory.file("films"), withIntermediateDirectories: false)
        let outcome = try await exportInterrupted(
            in: directory, "rm -r '\(directory.file("films"))'; wait $export", film: "films/film.mp4", speed: "ultrafast")
        #expect(outcome.status == 73, "\(outcome.errors)")
        let film = directory.file("films/film.mp4")
        #expect(
            outcome.errors.contains(
                "error: the directory '\(directory.file("films"))' for '\(film)' does not exist; create it with"),
            "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp") == [])
    }

    @Test("Rendering processes end when spool is killed, and the next export cleans up and succeeds")
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
        // The partial file of a process killed during the stitch, with a number that no process has.
        let partial = directory.file(".film.mp4.\(Int32.max).partial")
        #expect(FileManager.default.createFile(atPath: partial, contents: Data("half a film".utf8)))
        _ = try await SpoolTool.export(
            try String(contentsOfFile: directory.file("draft.json"), encoding: .utf8), in: directory)
        #expect(!FileManager.default.fileExists(atPath: partial))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("cache") + "/tmp") == [])
    }

    /// Starts an export, waits until a segment is being written, and then runs shell commands. They know the export as
    /// `$export` and its rendering processes as `$children`.
    private func exportInterrupted(
        in directory: TemporaryDirectory, _ commands: String, before: String = "", film: String = "film.mp4",
        speed: String = "veryslow"
    ) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            """
            \(before)
            '\(SpoolTool.executable)' export '\(directory.file("draft.json"))' -o '\(directory.file(film))' \
              --cache '\(directory.file("cache"))' --jobs 2 --set encoderSpeed=\(speed) & export=$!
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
