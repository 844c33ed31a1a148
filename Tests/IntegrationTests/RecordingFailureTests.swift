import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// When a clip fails for any reason, the clips before it stay.
@Suite struct RecordingFailureTests: RecorderUser {
    @Test("A recording killed or interrupted during a clip loses only that clip", arguments: ["KILL", "INT"])
    func killed(_ signal: String) async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 300)
        let recording = try await begin(in: directory)
        try await append([source], in: directory)
        let outcome = try await ShellTool.run(
            """
            set -m
            mkfifo '\(directory.file("pipe"))'
            # Holds the pipe open, so that the clip never ends by itself.
            (ffmpeg -nostdin -v error -i '\(source)' -c copy -f matroska - ; exec sleep 300) > '\(directory.file("pipe"))' & writer=$!
            '\(SpoolTool.executable)' record append '\(recording)' '\(directory.file("pipe"))' --cache '\(directory.file("cache"))' & append=$!
            until [ -s '\(recording)/incoming/0002' ]; do
              kill -0 $append || exit 99
              read -t 0.05 < <(:) || true
            done
            '\(SpoolTool.executable)' record status '\(recording)'
            '\(SpoolTool.executable)' record append '\(recording)' '\(source)' --cache '\(directory.file("cache"))'; echo "second: $?"
            children=$(pgrep -P $append)
            kill -\(signal) $append
            wait $append; echo "first: $?"
            for child in $children; do timeout 20 tail --pid=$child -f /dev/null || echo "left: $child"; done
            kill -- -$writer
            """)
        #expect(outcome.output.contains("another process is recording into it"), "\(outcome.errors)")
        #expect(outcome.output.contains("second: 75") && outcome.errors.contains("another process is recording"))
        #expect(outcome.output.contains(signal == "KILL" ? "first: 137" : "first: 130"), "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.output.contains("left:"))
        let status = try await status(in: directory)
        #expect(status.state == "open" && status.clips.map(\.number) == [1])
        try await append([source], in: directory)
        #expect(try await self.status(in: directory).clips.map(\.number) == [1, 2])
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: recording + "/clips")) == ["0001.mp4", "0002.mp4"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/incoming") == [])
    }

    @Test("A full disk loses only the current clip, and is reported")
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 300)
        let recording = try await begin(in: directory)
        try await append([source], in: directory)
        let outcome = try await ShellTool.run(
            """
            ulimit -f 64
            cat '\(source)' | '\(SpoolTool.executable)' record append '\(recording)' - --cache '\(directory.file("cache"))'
            """)
        #expect(
            outcome.status == 75 && outcome.errors.contains("cannot be written"), "\(outcome.status as Any) \(outcome.errors)")
        #expect(try await status(in: directory).clips.map(\.number) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/incoming") == [])
    }
}
