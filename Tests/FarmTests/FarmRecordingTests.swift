import FarmAPI
import ContentHashing
import Coordinator
import TestSupport
import Testing
import FoundationEssentials

/// Recordings on a farm of processes. The clips must have the same bytes as those that this machine records.
@Suite(.serialized) struct FarmRecordingTests {
    private struct Status: Decodable {
        struct Clip: Decodable {
            var number: Int
            var url: String
            var frameCount: Int
        }

        var state: String
        var clips: [Clip]
        var lost: [Lost]
    }

    private struct Lost: Decodable {
        var number: Int
        var reason: String
    }

    private static let settings = [
        #"videoSize={"width": 320, "height": 180}"#, "encoderSpeed=ultrafast", "mirror=true", "maxDuration=3",
        "videoBitrate=300000",
    ].flatMap { ["--set", $0] }

    private func makeClip(in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file("in.mov")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=4", "-f", "lavfi", "-i", "sine=duration=4", "-c:v",
            "libx264",
            "-preset", "ultrafast", "-c:a", "pcm_s16le", path,
        ])
        return path
    }

    /// The sha256 values of the clips that this machine records from the same uploads.
    private func recordHere(_ source: String, in directory: TemporaryDirectory) async throws -> [String] {
        let folder = directory.file("here")
        let cache = ["--cache", directory.file("cache")]
        for words in [["new", folder] + Self.settings, ["append", folder, source, "--speed", "2"], ["append", folder, source]] {
            let outcome = try await SpoolTool.run(["record"] + words + cache)
            guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool record: \(outcome.errors)") }
        }
        return try ["0001", "0002"].map { "asset:" + (try ContentHash.ofFile("\(folder)/clips/\($0).mp4").hash) }
    }

    @Test(
        "A farm's recording has the local clips, loses only a damaged one, stops at its maximum and becomes a draft",
        .timeLimit(.minutes(10)))
    func roundTrip() async throws {
        let directory = try TemporaryDirectory()
        let source = try await makeClip(in: directory)
        let here = try await recordHere(source, in: directory)
        let damaged = directory.file("damaged.mp4")
        try Data("no media".utf8).write(to: URL(fileURLWithPath: damaged))
        try await TestFarm.with(workers: 2) { farm in
            let begun = try await farm.spool(["record", "new", "--farm"] + Self.settings)
            try #require(begun.status == 0, "\(begun.errors)")
            let id = begun.output.filter { !$0.isWhitespace }
            let first = try await farm.spool(["record", "append", id, source, "--speed", "2"])
            #expect(first.status == 0 && first.output.contains("clip 1: 120 frames, 2 s of film"), "\(first.errors)")
            let lost = try await farm.spool(["record", "append", id, damaged])
            #expect(lost.status == 65 && lost.errors.contains("clip 2 is lost: the upload:"), "\(lost.errors)")
            let full = try await farm.spool(["record", "append", id, source])
            #expect(full.output.contains("clip 3: 30 frames") && full.output.contains("which is the maximum"), "\(full.errors)")
            let refused = try await farm.spool(["record", "append", id, source])
            #expect(refused.status == 65 && refused.errors.contains("has reached its maximum of 3 s"), "\(refused.errors)")

            let shown = try await farm.spool(["record", "status", id, "--json"])
            let status = try JSONDecoder().decode(Status.self, from: Data(shown.output.utf8))
            #expect(status.state == "full" && status.clips.map(\.number) == [1, 3] && status.clips.map(\.url) == here)
            #expect(status.lost.map(\.number) == [2])

            // The time is half a second into clip 3. The picture is mirrored as in the recording, and the raw one as it
            // was uploaded.
            let picture = farm.directory.file("p.png"), raw = farm.directory.file("raw.png")
            let taken = try await farm.spool(["record", "snapshot", id, "--time", "2.5", "-o", picture, "--raw", raw])
            #expect(taken.status == 0 && taken.output.contains("raw.png: clip 3 at 0.5 s, 640x360"), "\(taken.errors)")
            #expect(try await difference(picture, raw, through: "hflip", in: directory) < 5)
            #expect(try await difference(picture, raw, through: "null", in: directory) > 15)

            let draft = farm.directory.file("recorded.json")
            let finished = try await farm.spool(["record", "finish", id, "-o", draft])
            #expect(
                finished.status == 0 && finished.output.contains("draft 'recording-\(id)' is at revision 1"), "\(finished.errors)"
            )
            let film = try await farm.submit([draft])
            try await farm.watch(film)
            #expect(try await farm.export(film[0]).frameCount == 90)
        }
    }

    @Test("Settings change, clips are discarded, and the film is exported with the finish", .timeLimit(.minutes(10)))
    func control() async throws {
        let directory = try TemporaryDirectory()
        let source = try await makeClip(in: directory)
        let mark = directory.file("mark.png")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "color=white:size=16x16", "-frames:v", "1", mark])
        try await TestFarm.with(workers: 2) { farm in
            func record(_ words: [String]) async throws -> SpoolTool.Outcome {
                let outcome = try await farm.spool(["record"] + words)
                if outcome.status != 0 { throw FFmpegTool.Failure(description: "spool record \(words): \(outcome.errors)") }
                return outcome
            }
            func status(_ id: String) async throws -> Status {
                try JSONDecoder().decode(Status.self, from: Data(try await record(["status", id, "--json"]).output.utf8))
            }
            let id = try await record(["new", "--farm"] + Self.settings).output.filter { !$0.isWhitespace }
            for _ in 1...2 { _ = try await record(["append", id, source, "--duration", "0.5"]) }
            _ = try await record(["discard-clip", id, "1"])
            #expect(try await status(id).clips.map(\.number) == [2])
            let none = try await farm.spool(["record", "discard-clip", id, "1"])
            #expect(none.status == 65 && none.errors.contains("has no clip 1; it has 2"), "\(none.errors)")
            // The picture is uploaded with the change.
            let sticker =
                "stickers=[{\"url\": \"\(mark)\", \"destRect\": {\"x\": 280, \"y\": 140, \"width\": 20, \"height\": 20}}]"
            _ = try await record(["set", id, sticker, "mirror=null"])
            _ = try await record(["append", id, source, "--duration", "0.5"])
            let picture = directory.file("p.png"), raw = directory.file("raw.png")
            _ = try await record(["snapshot", id, "--time", "0.75", "-o", picture, "--raw", raw])
            #expect(try await difference(picture, raw, through: "null", in: directory) < 5)
            let spot = directory.file("spot.raw")
            try await FFmpegTool.ffmpeg(["-i", picture, "-vf", "format=gray,crop=10:10:285:145", "-f", "rawvideo", spot])
            #expect(try Data(contentsOf: URL(fileURLWithPath: spot)).allSatisfy { $0 > 240 })

            let film = directory.file("film.mov")
            _ = try await record(["finish", id, "--film", film, "-o", directory.file("draft.json")])
            let frames = try await FFmpegTool.ffprobe([
                "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", film,
            ])
            #expect(frames.filter { !$0.isWhitespace } == "30")

            let other = try await record(["new", "--farm"] + Self.settings).output.filter { !$0.isWhitespace }
            _ = try await record(["append", other, source, "--duration", "0.5"])
            _ = try await record(["discard-all", other])
            #expect(try await status(other).clips.isEmpty)
        }
    }

    /// The mean difference in brightness, 0...255, between a picture and another one that is filtered and scaled to its
    /// size.
    private func difference(
        _ picture: String, _ other: String, through filter: String, in directory: TemporaryDirectory
    ) async throws -> Double {
        let file = directory.file("difference.raw")
        try await FFmpegTool.ffmpeg([
            "-i", picture, "-i", other, "-filter_complex",
            "[0]format=gray[a];[1]\(filter),scale=320:180,format=gray[b];[a][b]blend=all_mode=difference", "-f", "rawvideo", file,
        ])
        let values = try Data(contentsOf: URL(fileURLWithPath: file))
        return Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count)
    }

    @Test("A clip survives the death of its worker and its coordinator", .timeLimit(.minutes(10)))
    func kills() async throws {
        let directory = try TemporaryDirectory()
        let source = try await makeClip(in: directory)
        let here = try await recordHere(source, in: directory)
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.spool(["record", "new", "--farm"] + Self.settings).output.filter { !$0.isWhitespace }
            async let appended = farm.spool(["record", "append", id, source, "--speed", "2"])
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.kill("w1")
            try await farm.kill("coordinator0")
            try await farm.startCoordinator()
            await farm.startWorker("w2")
            _ = try await appended
            try await farm.eventually {
                let shown = try await farm.spool(["record", "status", id, "--json"])
                let status = try JSONDecoder().decode(Status.self, from: Data(shown.output.utf8))
                return status.clips.map(\.url) == Array(here.prefix(1))
            }
        }
    }

    @Test("What a killed client has captured becomes one clip with the next command", .timeLimit(.minutes(10)))
    func killedClient() async throws {
        let directory = try TemporaryDirectory()
        let source = try await makeClip(in: directory)
        let media = directory.file("in.mkv")
        try await FFmpegTool.ffmpeg(["-i", source, "-c", "copy", media])
        let state = directory.file("state")
        try await TestFarm.with(workers: 1) { farm in
            let client = "XDG_STATE_HOME='\(state)' \(farm.client())"
            let outcome = try await ShellTool.run(
                """
                set -m
                id=$(\(client) record new --farm --set encoderSpeed=ultrafast) || exit 98
                folder='\(state)'/spool-captures/$id
                mkfifo '\(directory.file("pipe"))'
                # Holds the pipe open, so that the clip never ends by itself.
                (cat '\(media)'; exec tail -f /dev/null) > '\(directory.file("pipe"))' & writer=$!
                \(client) record append $id '\(directory.file("pipe"))' --speed 2 & append=$!
                until [ "$(stat -c %s "$folder"/*.media 2>&-)" = "$(stat -c %s '\(media)')" ]; do
                  kill -0 $append || exit 99
                  read -t 0.05 < <(:) || true
                done
                # A client that lives keeps its capture.
                \(client) record status $id
                kill -KILL $append; wait $append
                kill -- -$writer
                cp -r "$folder" '\(directory.file("copy"))'
                \(client) record status $id
                \(client) record append $id '\(source)'; echo "second: $?"
                echo "left: $(ls "$folder")"
                # A client that is killed after its upload leaves the same behind; the farm has that clip.
                cp '\(directory.file("copy"))'/* "$folder"
                \(client) record set $id mute=true; echo "set: $?"
                echo "left: $(ls "$folder")"
                # Media that the farm refuses stay, also when further clips are captured.
                cp '\(directory.file("copy"))'/*.json "$folder"
                name=$(basename "$folder"/*.json .json)
                echo "no media" > "$folder/$name.media"
                \(client) record set $id mute=true; echo "refused: $?"
                \(client) record append $id - --duration 1 < '\(media)'; echo "third: $?"
                \(client) record discard-last $id
                echo "left: $(cat "$folder"/*.media)"
                # A capture that was left behind is the last clip.
                cp '\(directory.file("copy"))'/* "$folder"
                \(client) record discard-last $id
                \(client) record status $id --json > '\(directory.file("status.json"))'
                """)
            let lines = outcome.output
            #expect(outcome.status == 0, "\(lines)\(outcome.errors)")
            #expect(lines.components(separatedBy: "of a clip that was interrupted are on this machine").count == 2, "\(lines)")
            #expect(lines.contains("second: 0") && lines.contains("set: 0"), "\(lines)\(outcome.errors)")
            #expect(lines.components(separatedBy: "left: \n").count == 3, "\(lines)")
            #expect(lines.contains("third: 0") && lines.contains("left: no media\n"), "\(lines)\(outcome.errors)")
            #expect(outcome.errors.contains("what was captured is kept in '"), "\(outcome.errors)")
            let kept = outcome.errors.components(separatedBy: "clip 1, which was interrupted, is kept: 120 frames, 4 s")
            #expect(kept.count == 3, "\(outcome.errors)")
            #expect(lines.contains("the clip that was interrupted on this machine is discarded"))
            let status = try JSONDecoder().decode(
                Status.self, from: Data(contentsOf: URL(fileURLWithPath: directory.file("status.json"))))
            #expect(status.clips.map(\.number) == [1, 2] && status.clips.map(\.frameCount) == [120, 120])
        }
    }
}
