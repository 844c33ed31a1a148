import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// When a clip fails for any reason, the clips before it stay.
@Suite struct RecordingFailureTests: RecorderUser {
    @Test(
        "A clip ends with a signal and is kept, and what came in before a kill is a clip with the next command",
        arguments: ["KILL", "INT", "TERM"])
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
            (ffmpeg -nostdin -v error -i '\(source)' -c copy -f matroska - ; exec tail -f /dev/null) > '\(directory.file("pipe"))' & writer=$!
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
        #expect(outcome.output.contains(signal == "KILL" ? "first: 137" : "first: 0"), "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.output.contains("left:"))
        let status = try await status(in: directory)
        if signal == "KILL" {
            #expect(status.state == "recording" && status.clips.map(\.number) == [1])
            let shown = try await record(["status", recording], in: directory)
            #expect(shown.output.contains("clip 2 was interrupted"), "\(shown.output)")
            let next = try await record(["append", recording, source], in: directory)
            #expect(
                next.status == 0 && next.errors.contains("clip 2, which was interrupted, is kept: 300 frames"), "\(next.errors)")
        } else {
            #expect(status.state == "open" && status.clips.map(\.number) == [1, 2])
            try await append([source], in: directory)
        }
        let clips = try await self.status(in: directory).clips
        #expect(clips.map(\.number) == [1, 2, 3] && clips.map(\.frameCount) == [300, 300, 300])
        #expect(try await SourceClips.numbers(of: clips[1].url) == Array(0..<300))
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/clips").count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/incoming") == ["0002"])
    }

    @Test("A recorder that is killed again and again loses at most the last second of what came in", arguments: [false, true])
    func killedAgain(_ isRaw: Bool) async throws {
        let directory = try TemporaryDirectory()
        let recording = try await begin(in: directory)
        let coding = isRaw ? "-f rawvideo -pix_fmt yuv420p" : "-c:v libx264 -tune zerolatency -g 10 -f matroska -flush_packets 1"
        var random = RandomNumbers(seed: isRaw ? 11 : 12)
        var frames: [Int] = []
        for take in 1...3 {
            let seen = directory.file("seen-\(take)")
            // The moment of the kill, as an amount that has come in.
            let enough =
                isRaw ? Int.random(in: 30...90, using: &random) * 86_400 : Int.random(in: 60_000...250_000, using: &random)
            let outcome = try await ShellTool.run(
                """
                set -m
                mkfifo '\(directory.file("pipe-\(take)"))'
                (ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=320x180:rate=30 -t 20 \(coding) - \
                  | tee '\(seen)' > '\(directory.file("pipe-\(take)"))') & writer=$!
                '\(SpoolTool.executable)' record append '\(recording)' '\(directory.file("pipe-\(take)"))' \
                  \(isRaw ? "--raw-video 320x180@30:yuv420p" : "") --cache '\(directory.file("cache"))' & append=$!
                until [ "$(stat -c %s '\(recording)/incoming/000\(take)' 2> /dev/null || echo 0)" -gt \(enough) ]; do
                  kill -0 $append || exit 99
                  read -t 0.02 < <(:) || true
                done
                kill -KILL $append; wait $append; kill -- -$writer
                """)
            #expect(outcome.status != 99, "\(outcome.errors)")
            let size = FileManager.default.contents(atPath: seen)?.count ?? 0
            frames.append(
                isRaw
                    ? size / (320 * 180 * 3 / 2)
                    : try await FFmpegTool.ffprobe([
                        "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0",
                        seen,
                    ]).split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0)
        }
        let finished = try await record(["finish", recording], in: directory)
        #expect(finished.status == 0 && finished.errors.contains("clip 3, which was interrupted, is kept"), "\(finished.errors)")
        let clips = try await status(in: directory).clips
        #expect(clips.map(\.number) == [1, 2, 3])
        for (clip, came) in zip(clips, frames) {
            // tee writes to the recorder before it writes to its file, so the end of one more frame may have come in.
            #expect(came > 10 && (came - 30...came + 1).contains(clip.frameCount), "\(clip.frameCount) of \(came) frames")
        }
    }

    @Test("A clip that was interrupted before anything came is lost, and said to be; it can be discarded, too")
    func nothingCame() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 30)
        let recording = try await begin(in: directory)
        func interrupt(_ number: Int, _ writer: String) async throws {
            _ = try await ShellTool.run(
                """
                set -m
                mkfifo '\(directory.file("pipe-\(number)"))'
                (\(writer); exec tail -f /dev/null) > '\(directory.file("pipe-\(number)"))' & writer=$!
                '\(SpoolTool.executable)' record append '\(recording)' '\(directory.file("pipe-\(number)"))' \
                  --cache '\(directory.file("cache"))' & append=$!
                until [ -e '\(recording)/incoming/000\(number)' ]; do kill -0 $append || exit 99; read -t 0.05 < <(:) || true; done
                kill -KILL $append; wait $append; kill -- -$writer
                """)
        }
        try await interrupt(1, ":")
        let next = try await record(["append", recording, source], in: directory)
        #expect(next.status == 0 && next.errors.contains("clip 1, which was interrupted, is lost"), "\(next.errors)")
        try await interrupt(3, "cat '\(source)'")
        let discarded = try await record(["discard-last", recording], in: directory)
        #expect(discarded.status == 0 && discarded.output.contains("clip 3 is discarded"), "\(discarded.errors)")
        #expect(try await status(in: directory).clips.map(\.number) == [2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/incoming") == [])
        for (number, words) in [(4, ["discard-clip", recording, "4"]), (5, ["discard-all", recording])] {
            try await interrupt(number, "cat '\(source)'")
            let discarded = try await record(words, in: directory)
            #expect(discarded.status == 0, "\(discarded.errors)")
        }
        // The recorder was killed before the process that captures made its file.
        try await interrupt(6, ":")
        try FileManager.default.removeItem(atPath: recording + "/incoming/0006")
        let last = try await record(["append", recording, source], in: directory)
        #expect(last.status == 0, "\(last.errors)")
        #expect(last.errors.contains("clip 6, which was interrupted, is lost: nothing of it came in\n"), "\(last.errors)")
        let left = try await status(in: directory)
        #expect(left.clips.map(\.number) == [7])
        #expect(
            left.lost == [
                .init(1, "it was interrupted, and what came in cannot be read"), .init(3, "it was interrupted, and discarded"),
                .init(4, "it was interrupted, and discarded"), .init(5, "it was interrupted, and discarded"),
                .init(6, "it was interrupted before anything came in"),
            ])
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
