import ExactTime
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// Recording at the command line: clips become a draft, and look and sound as the settings say.
@Suite struct RecordingTests: RecorderUser {
    @Test("Clips of files become a draft whose film shows each of their frames at its time")
    func clips() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 90)
        _ = try await begin(["maxDuration=5.5"], in: directory)
        try await append([source], in: directory)
        try await append([source, "--speed", "2", "--volume", "0.5"], in: directory)
        #expect(try await status(in: directory).clips.map(\.frameCount) == [90, 90])
        // One second of film is left, which at half the speed is half a second of the source.
        let last = try await record(["append", directory.file("r"), source, "--speed", "0.5"], in: directory)
        #expect(
            last.output.contains("15 frames, 1 s of film; 5.5 s in all, which is the maximum"), "\(last.output)\(last.errors)")
        let refused = try await record(["append", directory.file("r"), source], in: directory)
        #expect(refused.status == 65 && refused.errors.contains("has reached its maximum of 5.5 s"))
        let film = try await finish(in: directory)
        let expected = Array(0..<90) + (0..<45).map { $0 * 2 } + (0..<30).map { $0 / 2 }
        #expect(try await SourceClips.numbers(of: film) == expected)
        let over = try await record(["append", directory.file("r"), source], in: directory)
        #expect(over.status == 65 && over.errors.contains("is finished"))
    }

    @Test("A recorded clip has the bytes of the same draft's export each time")
    func sameBytes() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 30)
        let recording = try await begin(in: directory)
        try await append([source], in: directory)
        try await append([source], in: directory)
        let draft = """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 30,
             "mainTrackClips": [{"type": "av", "url": "n.mp4", "scalingMode": "aspectFill"}]}
            """
        let exported = try await SpoolTool.export(draft, in: directory, ["--set", "maxKeyframeInterval=2"])
        let film = try Data(contentsOf: URL(fileURLWithPath: exported))
        for clip in ["0001", "0002"] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(recording)/clips/\(clip).mp4")) == film)
        }
    }

    @Test("Mirror, rotation, filter, watermark and mute take effect in the clip")
    func looks() async throws {
        let directory = try TemporaryDirectory()
        let size = FrameSize(width: 320, height: 180)
        // The picture is bright in the upper left quarter.
        let picture = (0..<180).flatMap { y in (0..<320).map { x in UInt8(x < 160 && y < 90 ? 200 : 60) } }
        let chroma = [UInt8](repeating: 128, count: 160 * 90 * 2)
        try await RawVideo.write(
            Array(repeating: picture + chroma, count: 5), pixelFormat: "yuv420p", size: size, to: directory.file("p.mkv"))
        try await FFmpegTool.ffmpeg([
            "-i", directory.file("p.mkv"), "-f", "lavfi", "-i", "sine", "-shortest", "-c:v", "copy", "-c:a", "pcm_s16le",
            directory.file("q.mkv"),
        ])
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "color=white:size=16x16", "-frames:v", "1", directory.file("mark.png")])
        let mark = directory.file("mark.png")
        let watermark = "watermark={\"url\": \"\(mark)\", \"destRect\": {\"x\": 240, \"y\": 120, \"width\": 40, \"height\": 40}}"
        /// The brightness, from black to white, in the middle of the four quarters, row by row.
        let cases: [(settings: [String], quarters: [Int])] = [
            ([], [214, 51, 51, 51]), (["mirror=true"], [51, 214, 51, 51]), (["rotation=180"], [51, 51, 51, 214]),
            (["rotation=180", "mirror=true"], [51, 51, 214, 51]), ([#"filters=[{"type": "invert"}]"#], [41, 204, 204, 204]),
            ([watermark], [214, 51, 51, 255]),
        ]
        for (number, (settings, quarters)) in cases.enumerated() {
            let folder = try TemporaryDirectory()
            _ = try await begin(settings + ["frameRate=25", "videoQuality=5", "mute=\(number % 2 == 0)"], in: folder)
            try await append([directory.file("q.mkv")], in: folder)
            let clip = try #require(try await status(in: folder).clips.first)
            let frame = try #require(try await RawVideo.decode(clip.url, pixelFormat: "gray", bytesPerFrame: 320 * 180).first)
            let found = [(80, 45), (260, 45), (80, 140), (260, 140)].map { x, y in Int(frame[y * 320 + x]) }
            #expect(zip(found, quarters).allSatisfy { abs($0 - $1) <= 4 }, "\(settings): \(found)")
            let heard = try await Waveform.decode(clip.url, sampleRate: 44_100, channels: 1).samples
            let loudest = heard.map(abs).max() ?? 0
            #expect(number % 2 == 0 ? loudest < 0.001 : loudest > 0.05, "\(settings): \(loudest)")
        }
    }

    @Test("Clips are encoded as the settings say: profile, keyframes, file type, sound")
    func encoding() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60)
        _ = try await begin(
            ["profile=baseline", "maxKeyframeInterval=1/2", "sampleRate=48000", "channels=1", "encoderSpeed=fast"], in: directory)
        try await append([source], in: directory)
        try await append([source, "--type", "mov"], in: directory)
        let conflict = try await record(["append", directory.file("r"), source, "--type", "webm"], in: directory)
        #expect(
            conflict.status == 65 && conflict.errors.contains("profile: belongs to h264, and the film's codec is vp9"),
            "\(conflict.errors)")
        for clip in try await status(in: directory).clips {
            let report = try await FFprobeReport.of(clip.url)
            #expect(report.audio?.sampleRate == "48000" && report.audio?.channels == 1)
            let profile = try await FFmpegTool.ffprobe([
                "-select_streams", "v", "-show_entries", "stream=profile", "-of", "csv=p=0", clip.url,
            ])
            #expect(profile.hasPrefix("Constrained Baseline"))
            let pictures = try await FFmpegTool.ffprobe([
                "-select_streams", "v", "-show_entries", "frame=pict_type", "-of", "csv=p=0", clip.url,
            ])
            let types = pictures.split(separator: "\n").compactMap(\.first)
            #expect(types.count == 60 && !types.contains("B"))
            #expect(types.indices.filter { types[$0] == "I" }.count >= 4)
        }
        #expect(try await status(in: directory).clips.map { $0.url.suffix(4) } == [".mp4", ".mov"])
    }

    @Test("Snapshots show a time of the recording both as recorded and as it came in")
    func snapshots() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60)
        _ = try await begin(["maxDuration=10", "mirror=true"], in: directory)
        try await append([source], in: directory)
        let piped = try await append(from: "cat '\(source)'", "--speed 2", in: directory)
        #expect(piped.status == 0, "\(piped.errors)")
        func snap(_ time: String) async throws -> SpoolTool.Outcome {
            try await record(
                [
                    "snapshot", directory.file("r"), "--time", time, "-o", directory.file("p.png"), "--raw",
                    directory.file("raw.png"),
                ],
                in: directory)
        }
        // Half a second into the second clip, which is one second into its input.
        let taken = try await snap("2.5")
        #expect(taken.status == 0 && taken.output.contains("clip 2 at 1 s, 320x180"), "\(taken.errors)")
        let raw = try await NumberedFrames(ofFile: directory.file("raw.png"), size: SourceClips.size, countingAt: FrameRate(1))
        #expect(raw.frames.map(\.number) == [30])
        try await FFmpegTool.ffmpeg(["-i", directory.file("p.png"), "-vf", "hflip", directory.file("back.png")])
        let processed = try await NumberedFrames(
            ofFile: directory.file("back.png"), size: SourceClips.size, countingAt: FrameRate(1))
        #expect(processed.frames.map(\.number) == [30])
        let outside = try await snap("3")
        #expect(outside.status == 65 && outside.errors.contains("is outside the recording, which is 3 s long"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("r/incoming")) == ["0002"])
        _ = try await finish(in: directory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("r/incoming")) == [])
        let late = try await snap("2.5")
        #expect(late.status == 65 && late.errors.contains("the input of clip 2 no longer exists"))
    }

    @Test("Clips and recordings are discarded with their files, and a short recording cannot be finished")
    func discarding() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 30)
        let recording = try await begin(["minDuration=1.5"], in: directory)
        let none = try await record(["finish", recording], in: directory)
        #expect(none.status == 65 && none.errors.contains("has no clip yet"))
        try await append([source], in: directory)
        let short = try await record(["finish", recording], in: directory)
        #expect(short.status == 65 && short.errors.contains("needs 0.5 s more"))
        let discarded = try await record(["discard-last", recording], in: directory)
        #expect(discarded.status == 0 && discarded.output.contains("clip 1 is discarded"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/clips") == [])
        try await append([source], in: directory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/clips") == ["0002.mp4"])
        #expect(try await record(["discard", recording], in: directory).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: recording + "/clips") == [])
        #expect(try await status(in: directory).state == "discarded")
    }

    @Test("Errors name the settings and the input, and then nothing is begun or recorded")
    func faults() async throws {
        let directory = try TemporaryDirectory()
        let settings = directory.file("settings.json")
        try Data(#"{"filters": [{"type": "blurr"}], "backgroundMusic": {"url": "song.mp3"}}"#.utf8).write(
            to: URL(fileURLWithPath: settings))
        let refused = try await record(["new", directory.file("r"), "--settings", settings], in: directory)
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains("filters[0].type:") && refused.errors.contains("backgroundMusic.url: 'song.mp3'"),
            "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("r")))
        let recording = try await begin(in: directory)
        let again = try await record(["new", recording], in: directory)
        #expect(again.status == 65 && again.errors.contains("has a recording in it"))
        try Data("no media".utf8).write(to: URL(fileURLWithPath: directory.file("text.mp4")))
        for (input, message) in [("text.mp4", "is not a video, sound or picture"), ("none.mp4", "does not exist")] {
            let outcome = try await record(["append", recording, directory.file(input)], in: directory)
            #expect(outcome.status == 65 && outcome.errors.contains(message), "\(outcome.errors)")
        }
        let speed = try await record(["append", recording, directory.file("text.mp4"), "--speed", "99"], in: directory)
        #expect(speed.status == 65 && speed.errors.contains("speed: must be 1/10...16"))
        #expect(try await status(in: directory).clips.isEmpty)
        let elsewhere = try await record(["status", directory.path], in: directory)
        #expect(elsewhere.status == 65 && elsewhere.errors.contains("there is no recording in"))
    }

    @Test("Music is checked, kept out of the clips, and heard in the draft")
    func music() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60, tone: nil)
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "sine=frequency=880:duration=1", directory.file("song.wav")])
        let song =
            "{\"url\": \"\(directory.file("song.wav"))\", \"timeRange\": {\"start\": 0.25, \"duration\": 0.5}, \"loop\": true}"
        let recording = try await begin(in: directory)
        let wrong = try await record(["music", recording, "{\"url\": \"\(source)\"}"], in: directory)
        #expect(wrong.status == 65 && wrong.errors.contains("backgroundMusic.url"), "\(wrong.errors)")
        #expect(try await record(["music", recording, song], in: directory).status == 0)
        try await append([source], in: directory)
        let late = try await record(["music", recording, "none"], in: directory)
        #expect(late.status == 65 && late.errors.contains("has clips"))
        let clip = try #require(try await status(in: directory).clips.first)
        #expect((try await Waveform.decode(clip.url, sampleRate: 44_100, channels: 1).samples.map(abs).max() ?? 0) < 0.001)
        let heard = try await Waveform.decode(try await finish(in: directory), sampleRate: 44_100, channels: 1).samples
        // The music repeats after its own half second.
        #expect(abs(Measuring.pitch(of: heard[50_000..<80_000], sampleRate: 44_100) - 880) < 1)
    }
}
