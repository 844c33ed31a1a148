import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// The inputs of a recording: pipes of encoded media, raw media, and endless streams.
@Suite struct RecordingInputTests: RecorderUser {
    @Test("Encoded media come through pipes in any container, and a broken stream gives a shorter clip")
    func pipes() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 60)
        _ = try await begin(in: directory)
        let formats = [
            "matroska", "mpegts", "nut", "flv", "h264", "mp4 -movflags frag_keyframe+empty_moov",
            "hevc -c:v libx265 -x265-params log-level=none",
        ]
        for format in formats {
            let outcome = try await append(from: "ffmpeg -v error -i '\(source)' -c copy -f \(format) -", in: directory)
            #expect(outcome.status == 0, "\(format): \(outcome.errors)")
        }
        // A stream of MJPEG pictures has no frame rate, so 25 per second is assumed.
        let pictures = try await append(
            from: "ffmpeg -v error -i '\(source)' -c:v mjpeg -q:v 2 -f mjpeg -", "--input-format mjpeg", in: directory)
        #expect(pictures.status == 0, "\(pictures.errors)")
        // The index of an ordinary MP4 file is at its end.
        #expect(try await append(from: "cat '\(source)'", in: directory).status == 0)
        let clips = try await status(in: directory).clips
        #expect(clips.map(\.frameCount) == [60, 60, 60, 60, 60, 60, 60, 72, 60])
        for clip in clips where clip.frameCount == 60 {
            #expect(try await SourceClips.numbers(of: clip.url) == Array(0..<60), "\(clip.number)")
        }
        let whole = directory.file("whole.mkv")
        try await FFmpegTool.ffmpeg(["-i", source, "-c", "copy", whole])
        try await append(["file://\(whole)"], in: directory)
        #expect(try await SourceClips.numbers(of: try #require(try await status(in: directory).clips.last).url) == Array(0..<60))
        let broken = try await append(from: "head -c $(($(stat -c %s '\(whole)') / 2)) '\(whole)'", in: directory)
        #expect(broken.status == 0, "\(broken.errors)")
        let short = try #require(try await status(in: directory).clips.last)
        #expect((1..<60).contains(short.frameCount))
        // The last pictures may be missing when they depend on pictures that were stored later.
        let numbers = try await SourceClips.numbers(of: short.url)
        #expect(numbers.dropLast(8) == Array(0..<(short.frameCount - 8))[...] && numbers == numbers.sorted(), "\(numbers)")
        let empty = try await append(from: "true", in: directory)
        #expect(empty.status == 65 && empty.errors.contains("ended before anything came"), "\(empty.errors)")
        #expect(try await status(in: directory).clips.count == 11)
    }

    @Test("An endless pipe stops at the maximum, encoded or raw", arguments: [false, true])
    func endless(_ isRaw: Bool) async throws {
        let directory = try TemporaryDirectory()
        _ = try await begin(["maxDuration=2"], in: directory)
        let output = isRaw ? "-f rawvideo -pix_fmt rgb24" : "-c:v mpeg2video -f mpegts"
        let outcome = try await append(
            from: "ffmpeg -v error -f lavfi -i testsrc2=size=320x180:rate=30 \(output) -",
            isRaw ? "--raw-video 320x180@30:rgb24" : "", in: directory)
        #expect(outcome.status == 0 && outcome.errors.contains("standard input: stopped"), "\(outcome.errors)")
        let status = try await status(in: directory)
        #expect(status.state == "full" && status.duration == Rational(2) && status.clips.map(\.frameCount) == [60])
    }

    @Test("Raw pictures and raw sound are recorded unchanged")
    func raw() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 50, tone: 440)
        _ = try await begin(["frameRate=25"], in: directory)
        let sound = directory.file("sound.raw")
        try await FFmpegTool.ffmpeg(["-i", source, "-vn", "-f", "f32le", "-ar", "44100", "-ac", "2", sound])
        let outcome = try await append(
            from: "ffmpeg -v error -i '\(source)' -an -f rawvideo -pix_fmt yuv420p -",
            "--raw-video 320x180@25:yuv420p --raw-audio 44100:2:f32le --sound '\(sound)'", in: directory)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let clip = try #require(try await status(in: directory).clips.first)
        #expect(try await SourceClips.numbers(of: clip.url) == Array(0..<50))
        let heard = try await Waveform.decode(clip.url, sampleRate: 44_100, channels: 1).samples
        #expect(abs(Measuring.pitch(of: heard[10_000..<40_000], sampleRate: 44_100) - 440) < 1)

        for (option, value) in [
            ("--raw-video", "320x180@25"), ("--raw-video", "320x180@25:yuv421"), ("--raw-audio", "44100:2:u8"),
        ] {
            let refused = try await record(["append", directory.file("r"), sound, option, value], in: directory)
            #expect(
                refused.status == 64 && refused.errors.contains(option) && refused.errors.contains(value), "\(refused.errors)")
        }
    }
}
