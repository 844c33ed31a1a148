import ExactTime
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials
import Glibc

/// The ends of clips, their progress while they come in, and changes and discards between clips.
@Suite struct RecordingControlTests: RecorderUser {
    @Test("A clip that comes in is seen in status and as events, and another command ends it")
    func stopping() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 90)
        let recording = try await begin(in: directory)
        let none = try await record(["stop", recording], in: directory)
        #expect(
            none.status == 65 && none.errors.contains("': no append reads a pipe or an address"), "\(none.errors)")
        let outcome = try await ShellTool.run(
            """
            set -m
            mkfifo '\(directory.file("pipe"))'
            # Holds the pipe open, so that the clip never ends by itself.
            (ffmpeg -nostdin -v error -re -i '\(source)' -c copy -f matroska - ; exec tail -f /dev/null) > '\(directory.file("pipe"))' & writer=$!
            '\(SpoolTool.executable)' record append '\(recording)' '\(directory.file("pipe"))' --events \
              --cache '\(directory.file("cache"))' > '\(directory.file("events"))' & append=$!
            # The events come while the clip does.
            tail -n +1 -F --pid=$append '\(directory.file("events"))' 2> /dev/null | grep -qm1 '"byteCount":[1-9]' || exit 99
            '\(SpoolTool.executable)' record status '\(recording)' --json | grep -q '"byteCount" : [1-9]' || exit 97
            '\(SpoolTool.executable)' record status '\(recording)'
            '\(SpoolTool.executable)' record stop '\(recording)' || exit 98
            wait $append; echo "append: $?"
            kill -- -$writer
            """)
        #expect(outcome.output.contains("clip 1 is coming in: "), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("clip 1 ends") && outcome.output.contains("append: 0"), "\(outcome.errors)")
        struct Event: Decodable {
            struct Captured: Decodable {
                var byteCount: Int
                var duration: Rational
                var ending: String?
            }

            var event: String
            var clip: Int
            var captured: Captured?
            var recording: RecordingStatus?
        }
        let lines = try String(contentsOfFile: directory.file("events"), encoding: .utf8).split(separator: "\n")
        let events = try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
        #expect(events.allSatisfy { $0.clip == 1 })
        #expect(events.dropLast().allSatisfy { $0.event == "captured" } && events.last?.event == "recorded")
        let captured = events.compactMap(\.captured)
        #expect(captured.map(\.byteCount) == captured.map(\.byteCount).sorted() && captured.last?.ending == "input")
        let clip = try #require(events.last?.recording?.clips.first)
        let whole = try #require(captured.last)
        #expect(whole.byteCount > 0 && (1...90).contains(clip.frameCount))
        // As many frames as came in, but for those that depend on a packet that did not.
        #expect(abs(Double(clip.frameCount) - whole.duration.doubleValue * 30) <= 5, "\(clip.frameCount) of \(whole.duration) s")
        let status = try await record(["status", recording, "--json"], in: directory)
        #expect(!status.output.contains("\"capture\"") && !FileManager.default.fileExists(atPath: recording + "/capture.json"))
    }

    @Test("A capture of another user cannot be ended, and the message names who can")
    func anotherUser() async throws {
        guard geteuid() == 0 else { return print("not tested: only root can become another user") }
        let directory = try TemporaryDirectory()
        let recording = try await begin(in: directory)
        let outcome = try await ShellTool.run(
            """
            cd '\(recording)'
            # The shell stands for the process that captures: it holds the lock of the clip's media.
            exec 9> incoming/0001
            flock 9
            printf '{"clip": 1, "process": %d, "captured": {"byteCount": 0, "duration": 0}}' $$ > capture.json
            chmod -R a+rX .
            setpriv --reuid 65534 --regid 65534 --clear-groups -- '\(SpoolTool.executable)' record stop '\(recording)'
            code=$?
            exit $code
            """)
        #expect(outcome.status == 65, "\(outcome.output)")
        #expect(
            outcome.errors == "error: the capture cannot be ended: Operation not permitted; end it as the user who began it\n",
            "\(outcome.errors)")
    }

    @Test("The newest picture of a clip that comes in is seen as it will be recorded, and as it came in")
    func incomingPicture() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 90)
        let media = directory.file("n.mkv")
        try await FFmpegTool.ffmpeg(["-i", source, "-c", "copy", media])
        let recording = try await begin(["mirror=true"], in: directory)
        let none = try await record(["snapshot", recording, "-o", directory.file("none.png")], in: directory)
        #expect(none.status == 65 && none.errors.contains("nothing is being captured into '"), "\(none.errors)")
        #expect(none.errors.contains("'; give the --time of a picture"), "\(none.errors)")
        let outcome = try await ShellTool.run(
            """
            set -m
            mkfifo '\(directory.file("pipe"))'
            # Holds the pipe open, so that the clip never ends by itself.
            (cat '\(media)'; exec tail -f /dev/null) > '\(directory.file("pipe"))' & writer=$!
            '\(SpoolTool.executable)' record append '\(recording)' '\(directory.file("pipe"))' \
              --cache '\(directory.file("cache"))' & append=$!
            until [ "$(stat -c %s '\(recording)/incoming/0001' 2>&-)" = "$(stat -c %s '\(media)')" ]; do
              kill -0 $append || exit 99
              read -t 0.05 < <(:) || true
            done
            TMPDIR='\(directory.file("none"))' '\(SpoolTool.executable)' record snapshot '\(recording)' \
              -o '\(directory.file("seen.png"))' --cache '\(directory.file("cache"))'; echo "without room: $?"
            '\(SpoolTool.executable)' record snapshot '\(recording)' -o '\(directory.file("seen.png"))' \
              --raw '\(directory.file("raw.png"))' --cache '\(directory.file("cache"))'; echo "snapshot: $?"
            '\(SpoolTool.executable)' record stop '\(recording)' || exit 98
            wait $append; echo "append: $?"
            kill -- -$writer
            """)
        #expect(
            outcome.output.contains("snapshot: 0") && outcome.output.contains("append: 0"), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("without room: 73"), "\(outcome.output)")
        #expect(
            outcome.errors.contains("error: what has come in cannot be copied to '\(directory.file("none"))/spool-"),
            "\(outcome.errors)")
        #expect(outcome.errors.contains("'; set TMPDIR to a directory with room for it\n"), "\(outcome.errors)")
        #expect(outcome.output.contains("the newest picture of clip 1, 320x180"), "\(outcome.output)")
        #expect(try await SourceClips.numbers(of: directory.file("raw.png")) == [89])
        try await FFmpegTool.ffmpeg(["-i", directory.file("seen.png"), "-vf", "hflip", directory.file("flipped.png")])
        #expect(try await SourceClips.numbers(of: directory.file("flipped.png")) == [89])
        let status = try await status(in: directory)
        #expect(status.clips.map(\.frameCount) == [90])
    }

    @Test("A clip ends at the duration that was asked for, from a pipe and from a file")
    func duration() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 90)
        let recording = try await begin(in: directory)
        let piped = try await append(
            from: "ffmpeg -v error -f lavfi -i testsrc2=size=320x180:rate=30 -f rawvideo -pix_fmt rgb24 -",
            "--raw-video 320x180@30:rgb24 --duration 1.5", in: directory)
        #expect(
            piped.status == 0 && piped.errors.contains(": stopped at 1.5 s, as much as was to be recorded"),
            "\(piped.errors)")
        try await append([source, "--duration", "2/3", "--speed", "2"], in: directory)
        let status = try await status(in: directory)
        #expect(status.clips.map(\.frameCount) == [45, 20] && status.duration == Rational(3, 2) + Rational(1, 3))
        #expect(try await SourceClips.numbers(of: status.clips[1].url) == Array(0..<20))
        let refused = try await record(["append", recording, source, "--duration", "0"], in: directory)
        #expect(refused.status == 65 && refused.errors.contains("duration:"), "\(refused.errors)")
    }

    @Test("A clip ends at the greatest file size, and when the disk has too little left")
    func bytes() async throws {
        let directory = try TemporaryDirectory()
        let recording = try await begin(["maxFileSize=400000"], in: directory)
        let endless = "ffmpeg -v error -f lavfi -i testsrc2=size=320x180:rate=30"
        let large = try await append(from: "\(endless) -c:v mpeg2video -f mpegts -", in: directory)
        #expect(large.status == 0 && large.errors.contains("the recording's maxFileSize"), "\(large.errors)")
        let size = FileManager.default.contents(atPath: recording + "/incoming/0001")?.count ?? 0
        #expect((400_000...500_000).contains(size), "\(size)")
        #expect(
            try await record(["set", recording, "maxFileSize=null", "minFreeDiskSpace=1000000000000000"], in: directory).status
                == 0)
        let full = try await append(
            from: "\(endless) -f rawvideo -pix_fmt yuv420p -", "--raw-video 320x180@30:yuv420p", in: directory)
        #expect(full.status == 0, "\(full.errors)")
        #expect(
            full.errors.contains(": stopped, because the disk has only the recording's minFreeDiskSpace left"),
            "\(full.errors)")
        let clips = try await status(in: directory).clips
        #expect(clips.count == 2 && clips[0].frameCount > 10 && (1...5).contains(clips[1].frameCount))
    }

    @Test("Settings change between clips: mirror, crop, stickers with times; the size stays while there are clips")
    func changing() async throws {
        let directory = try TemporaryDirectory()
        let size = FrameSize(width: 320, height: 180)
        // The picture is bright in the upper left quarter.
        let picture = (0..<180).flatMap { y in (0..<320).map { x in UInt8(x < 160 && y < 90 ? 200 : 60) } }
        let chroma = [UInt8](repeating: 128, count: 160 * 90 * 2)
        let source = directory.file("p.mkv")
        try await RawVideo.write(
            Array(repeating: picture + chroma, count: 50), pixelFormat: "yuv420p", size: size, to: source)
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "color=white:size=16x16", "-frames:v", "1", directory.file("mark.png")])
        let recording = try await begin(["frameRate=25", "videoQuality=5"], in: directory)
        try await append([source], in: directory)
        let sticker = #"{"url": "mark.png", "destRect": {"x": 240, "y": 120, "width": 40, "height": 40}"#
        let settings = directory.file("stickers.json")
        try Data(
            """
            {"mirror": true, "stickers": [\(sticker), "timeRange": {"start": 1, "duration": 0.5}},
             \(sticker), "timeRange": {"start": 60, "duration": 1}}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: settings))
        let changed = try await record(["set", recording, "--settings", settings], in: directory)
        #expect(changed.status == 0, "\(changed.errors)")
        let marked = try await record(["append", recording, source], in: directory)
        // A sticker after the clip's end is not shown, and no reason to lose the clip.
        #expect(marked.status == 0 && marked.errors.contains("warning: stickers[1].timeRange"), "\(marked.errors)")
        let crop = #"cropRect={"x": 0, "y": 0, "width": 0.5, "height": 0.5, "unit": "ratio"}"#
        #expect(try await record(["set", recording, crop, "mirror=false", "stickers=null"], in: directory).status == 0)
        try await append([source], in: directory)
        let fixed = try await record(["set", recording, #"videoSize={"width": 640, "height": 360}"#], in: directory)
        #expect(fixed.status == 65 && fixed.errors.contains("its videoSize can be changed when"), "\(fixed.errors)")
        let missing = try await record(
            ["set", recording, #"watermark={"url": "none.png", "destRect": {"x": 0, "y": 0, "width": 9, "height": 9}}"#],
            in: directory)
        #expect(missing.status == 65 && missing.errors.contains("watermark"), "\(missing.errors)")
        let unknown = try await record(["set", recording, "mirrored=true"], in: directory)
        #expect(unknown.status == 65 && unknown.errors.contains("did you mean 'mirror'?"), "\(unknown.errors)")

        // The brightness, from black to white, in the middle of the four quarters, row by row.
        func quarters(_ clip: Int, _ frame: Int) async throws -> [Int] {
            let url = try await status(in: directory).clips[clip].url
            let pixels = try await RawVideo.decode(url, pixelFormat: "gray", bytesPerFrame: 320 * 180)[frame]
            return [(80, 45), (260, 45), (80, 140), (260, 140)].map { x, y in Int(pixels[y * 320 + x]) }
        }
        let cases = [
            (0, 0, [214, 51, 51, 51]), (1, 0, [51, 214, 51, 51]), (1, 24, [51, 214, 51, 51]), (1, 25, [51, 214, 51, 255]),
            (1, 37, [51, 214, 51, 255]), (1, 38, [51, 214, 51, 51]), (2, 0, [214, 214, 214, 214]),
        ]
        for (clip, frame, expected) in cases {
            let found = try await quarters(clip, frame)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 4 }, "clip \(clip), frame \(frame): \(found)")
        }
    }

    @Test("Clips of sound alone are recorded into each type, and play over black", arguments: ["m4a", "wav", "flac"])
    func sound(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60, tone: 440)
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "sine=frequency=880:duration=1", directory.file("song.ogg")])
        _ = try await begin(["videoQuality=30", "sampleRate=48000"], in: directory)
        try await append([source, "--type", type], in: directory)
        try await append([directory.file("song.ogg"), "--type", type], in: directory)
        try await append([source], in: directory)
        let clips = try await status(in: directory).clips
        #expect(clips.map(\.frameCount) == [60, 30, 60] && clips.prefix(2).allSatisfy { $0.url.hasSuffix(".\(type)") })
        for (clip, frequency) in zip(clips.prefix(2), [440.0, 880]) {
            let report = try await FFprobeReport.of(clip.url)
            #expect(report.video == nil && report.audio?.sampleRate == "48000")
            let heard = try await Waveform.decode(clip.url, sampleRate: 48_000, channels: 1)
            #expect(abs(heard.samples.count - clip.frameCount * 1600) <= 1024, "\(heard.samples.count)")
            // Between 0.2 and 0.8 s: the source has a second tone at each full second, and codecs begin with an echo.
            let middle = heard.samples.dropFirst(9600).prefix(28_800)
            let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(Double(crossings) - frequency * 0.6) <= 3, "\(crossings)")
        }
        let film = try await finish(in: directory)
        let frames = try await RawVideo.decode(film, pixelFormat: "gray", bytesPerFrame: 320 * 180)
        #expect(frames.count == 150 && frames[30].allSatisfy { $0 < 8 } && frames[149].contains { $0 > 100 })
    }

    @Test("Passthrough records pictures and sound as they come, whatever their rate")
    func copying() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 50, tone: 440)
        let recording = directory.file("r")
        let refused = try await record(
            ["new", recording, "--set", "preset=passthrough", "--set", "mirror=true"], in: directory)
        #expect(refused.status == 65 && refused.errors.contains("mirror: is not supported with passthrough"), "\(refused.errors)")
        #expect(try await record(["new", recording, "--set", "preset=passthrough"], in: directory).status == 0)
        try await append([source], in: directory)
        let piped = try await append(from: "ffmpeg -v error -i '\(source)' -c copy -f matroska -", in: directory)
        #expect(piped.status == 0, "\(piped.errors)")
        let status = try await status(in: directory)
        #expect(status.clips.map(\.frameCount) == [50, 50] && status.duration == Rational(4))
        func pictures(_ file: String) async throws -> String {
            try await FFmpegTool.ffprobe([
                "-select_streams", "v", "-show_packets", "-show_data_hash", "md5", "-show_entries", "packet=data_hash", "-of",
                "csv=p=0", file,
            ])
        }
        let coded = try await pictures(source)
        #expect(!coded.isEmpty)
        for clip in status.clips { #expect(try await pictures(clip.url) == coded, "\(clip.url)") }
        let film = try await finish(in: directory)
        #expect(try await SourceClips.numbers(of: film) == Array(0..<50) + Array(0..<50))
    }

    @Test("Any clip and all clips are discarded with their files, and finish makes the film at once")
    func discardingAndFilm() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60)
        let recording = try await begin(["metadata={\"artist\": \"me\"}"], in: directory)
        for seconds in ["1", "2", "1/2"] { try await append([source, "--duration", seconds], in: directory) }
        let discarded = try await record(["discard-clip", recording, "2"], in: directory)
        #expect(discarded.status == 0 && discarded.output.contains("the recording is 1.5 s long"), "\(discarded.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/clips").sorted() == ["0001.mp4", "0003.mp4"])
        let missing = try await record(["discard-clip", recording, "2"], in: directory)
        #expect(missing.status == 65 && missing.errors.contains("has no clip 2; it has 1, 3"), "\(missing.errors)")
        let film = directory.file("film.webm")
        let unknown = try await record(["finish", recording, "--film", directory.file("film.xyz")], in: directory)
        #expect(unknown.status != 0, "\(unknown.errors)")
        #expect(try await status(in: directory).state == "open")
        let finished = try await record(["finish", recording, "--film", film], in: directory)
        #expect(finished.status == 0 && finished.output.contains(film), "\(finished.errors)")
        #expect(try await SourceClips.numbers(of: film) == Array(0..<30) + Array(0..<15))
        let tags = try await FFmpegTool.ffprobe(["-show_entries", "format_tags=ARTIST", "-of", "csv=p=0", film])
        #expect(tags.contains("me"), "\(tags)")

        let other = try TemporaryDirectory()
        let second = try await begin(in: other)
        for _ in 1...2 { try await append([source, "--duration", "1"], in: other) }
        let emptied = try await record(["discard-all", second], in: other)
        #expect(emptied.status == 0 && emptied.output.contains("open, without clips"), "\(emptied.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: second + "/clips") == [])
        try await append([source], in: other)
        #expect(try await status(in: other).clips.map(\.number) == [3])
    }
}
