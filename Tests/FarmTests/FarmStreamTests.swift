import Coordinator
import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// A film as a stream that grows while it is rendered, as ffmpeg plays it.
@Suite(.serialized) struct FarmStreamTests {
    private struct Picture: Equatable {
        /// In ticks.
        var time: String
        var hash: String
    }

    /// A file of a stream, with the status of the answer.
    private func get(
        _ farm: TestFarm, _ token: String, _ export: String, _ file: String
    ) async throws -> (status: String, text: String) {
        let outcome = try await ShellTool.run(
            "curl -s -w '\\n%{http_code}' -H 'Authorization: Bearer \(token)' '\(farm.address)/v1/exports/\(export)/stream/\(file)'"
        )
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    /// The times and hashes of the pictures of a film or a stream.
    /// - Parameter file: a file to use meanwhile.
    private func pictures(_ input: String, _ options: [String] = [], in file: String) async throws -> [Picture] {
        try await FFmpegTool.ffmpeg(options + ["-copyts", "-i", input, "-map", "0:v", "-f", "framemd5", file])
        let text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.filter { $0 != " " }.split(separator: ",")
            return Picture(time: String(fields[2]), hash: String(fields[5]))
        }
    }

    /// A draft of ten clips that take a while to encode, with sound.
    private func draft(in directory: TemporaryDirectory) async throws -> String {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=20,noise=alls=5:all_seed=9:allf=t", "-f", "lavfi", "-i",
            "sine=frequency=440:duration=20", "-c:v", "libx264", "-preset", "ultrafast", "-g", "30", "-c:a", "pcm_s16le",
            directory.file("noise.mov"),
        ])
        let clips = (0..<10).map {
            #"{"type": "av", "url": "noise.mov", "timeRange": {"start": \#(2 * $0), "duration": \#($0 % 3 + 1).5}}"#
        }
        let text = #"{"version": 1, "frameRate": 30, "mainTrackClips": [\#(clips.dropLast().joined(separator: ", "))]}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        return directory.file("draft.json")
    }

    /// Submits the draft to a farm of one worker, and calls a function once the stream of the film has begun.
    private func watching(
        _ body: @Sendable (_ farm: TestFarm, _ directory: TemporaryDirectory, _ token: String, _ id: String) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let draft = try await draft(in: directory)
        try await TestFarm.with(workers: 1) { farm in
            let token = try await farm.makeToken(.read)
            let id = try await farm.submit([draft], ["--set", "encoderSpeed=slow"])[0]
            try await farm.eventually { try await get(farm, token, id, "main.m3u8").status == "200" }
            try await body(farm, directory, token, id)
        }
    }

    @Test(
        "A stream begins before half of the film is rendered, grows while a worker is killed, and has the film's pictures and sound",
        .timeLimit(.minutes(10)))
    func growing() async throws {
        try await watching { farm, directory, token, id in
            let first = try await get(farm, token, id, "pictures.m3u8")
            let export = try #require(ExportID(id))
            let jobs = try await farm.store.jobs(.init(export: export, limit: 1000)).filter { $0.kind == .video }
            #expect(first.status == "200" && !first.text.contains("#EXT-X-ENDLIST"))
            let ready = first.text.split(separator: "\n").count { $0.hasSuffix(".m4s") }
            #expect(ready >= 1 && 2 * ready <= jobs.count, "\(ready) of \(jobs.count)")
            let last = try await get(farm, token, id, "pictures-\(jobs.count - 1).m4s")
            #expect(last.status == "404" && last.text.contains(" yet; its playlist names those that it has"), "\(last.text)")
            let playing = Task {
                try await pictures(
                    "\(farm.address)/v1/exports/\(id)/stream/main.m3u8",
                    ["-headers", "Authorization: Bearer \(token)\r\n", "-live_start_index", "0", "-max_reload", "1000"],
                    in: directory.file("stream.md5"))
            }
            try await farm.kill("w1")
            await farm.startWorker("w2")
            try await farm.watch([id])
            _ = try await farm.film(id)
            let film = farm.directory.file("\(id).mp4")
            let seen = try await playing.value
            #expect(try await pictures(film, in: directory.file("film.md5")) == seen && seen.count > 300)
            let whole = try await get(farm, token, id, "pictures.m3u8")
            #expect(whole.text.hasPrefix(first.text) && whole.text.contains("#EXT-X-ENDLIST"))
            // The sound behind what its encoder put in front, to the sample.
            func sound(_ input: String, _ options: [String] = []) async throws -> Data {
                let raw = directory.file("raw")
                try await FFmpegTool.ffmpeg(options + ["-i", input, "-map", "0:a", "-f", "s16le", raw])
                return try Data(contentsOf: URL(fileURLWithPath: raw))
            }
            let heard = try await sound(
                "\(farm.address)/v1/exports/\(id)/stream/main.m3u8", ["-headers", "Authorization: Bearer \(token)\r\n"])
            #expect(try await sound(film) == heard.dropFirst(4096))
            try await farm.store.removeFilm(of: export)
            #expect(try await get(farm, token, id, "main.m3u8").status == "404", "a film that was removed is not watched either")
        }
    }

    @Test("A player that asks again sees the whole film after worker and coordinator were killed", .timeLimit(.minutes(10)))
    func kills() async throws {
        try await watching { farm, directory, token, id in
            let playing = Task {
                try await ShellTool.run(
                    """
                    cd '\(directory.path)'
                    get() {
                      curl -s -f --retry 90 --retry-all-errors --retry-delay 1 -H 'Authorization: Bearer \(token)' \
                        -o part '\(farm.address)/v1/exports/\(id)/stream/'"$1"
                    }
                    get pictures.mp4 || exit 9
                    cat part > seen.mp4
                    seen=0
                    until grep -q ENDLIST list; do
                      get pictures.m3u8 || exit 9
                      cp part list
                      for file in $(grep 'm4s$' list | tail -n +$((seen + 1))); do
                        get "$file" || exit 9
                        cat part >> seen.mp4
                        seen=$((seen + 1))
                      done
                      read -t 0.2 < <(:) || true
                    done
                    echo "$seen"
                    """)
            }
            try await farm.kill("w1")
            try await farm.kill("coordinator0")
            try await farm.startCoordinator()
            await farm.startWorker("w2")
            try await farm.watch([id])
            _ = try await farm.film(id)
            let outcome = try await playing.value
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let film = try await pictures(farm.directory.file("\(id).mp4"), in: directory.file("film.md5"))
            #expect(
                try await pictures(directory.file("seen.mp4"), in: directory.file("seen.md5")).map(\.hash) == film.map(\.hash))
            #expect(film.count > 300)
        }
    }

    @Test("A film with renditions can be watched in each of them, and is downloaded as files", .timeLimit(.minutes(10)))
    func renditions() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let token = try await farm.makeToken(.read)
            let settings = ["fileType=hls", "renditions=360,180", "encoderSpeed=ultrafast"].flatMap { ["--set", $0] }
            let id = try await farm.submit([drafts.file(0)], settings)[0]
            try await farm.watch([id])
            let main = try await get(farm, token, id, "main.m3u8")
            #expect(main.text.contains("RESOLUTION=640x360") && main.text.contains("\npictures-180.m3u8"), "\(main.text)")
            let folder = farm.directory.file("stream")
            let download = try await farm.spool(["download", id, "-o", "\(folder)/film.m3u8"])
            #expect(
                download.status == 0 && download.output.contains("film.m3u8: 10 files"), "\(download.output)\(download.errors)")
            for side in [360, 180] {
                let grown = try await pictures(
                    "\(farm.address)/v1/exports/\(id)/stream/pictures-\(side).m3u8",
                    ["-headers", "Authorization: Bearer \(token)\r\n", "-live_start_index", "0"],
                    in: farm.directory.file("grown.md5"))
                let files = try await pictures("\(folder)/pictures-\(side).m3u8", in: farm.directory.file("files.md5"))
                #expect(grown == files && grown.count > 20, "\(side): \(grown.count) and \(files.count)")
            }
            let other = try await get(farm, token, id, "pictures-720.m3u8")
            #expect(other.status == "404")
            #expect(
                other.text.contains("the stream has no such rendition; main.m3u8 names those that it has"), "\(other.text)")
            #expect(try await get(farm, token, id, "pictures.m3u8").status == "404")
            #expect(try await get(farm, token, id, "pictures-180-0.m4s").status == "200")
        }
    }

    @Test("What has no stream says why", .timeLimit(.minutes(5)))
    func refused() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let token = try await farm.makeToken(.read)
            let webm = try await farm.submit([drafts.file(0)], ["--set", "fileType=webm", "--set", "encoderSpeed=ultrafast"])[0]
            try await farm.eventually {
                try await get(farm, token, webm, "main.m3u8").text.contains(
                    "a film of the type webm cannot be played before it is complete; mp4, mov and hls can")
            }
            let other = try await get(farm, token, webm, "index.html")
            #expect(other.status == "404" && other.text.contains("players open main.m3u8"))
            _ = try await farm.spool(["cancel", webm, "--yes"])
            let nobody = try await get(farm, token, "00000000-0000-0000-0000-000000000000", "main.m3u8")
            #expect(nobody.status == "404")
            let stranger = try await get(farm, "wrong-token", webm, "main.m3u8")
            #expect(stranger.status == "401")
        }
    }
}
