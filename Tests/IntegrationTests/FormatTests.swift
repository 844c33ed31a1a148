import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Every format of an export, decoded by ffmpeg: all frames and samples exist, and the bytes are the same for any
/// number of processes.
@Suite struct FormatTests {
    struct Format: Sendable, CustomTestStringConvertible {
        var file: String
        var settings: [String] = []
        var video: String?
        var audio: String
        var sampleRate = 44_100
        /// The samples that the encoder puts before the sound, where the file does not say that they are skipped.
        var added = 0
        var testDescription: String { ([file] + settings).joined(separator: " ") }
    }

    static let pictures = [
        Format(file: "a.mp4", video: "h264", audio: "aac"),
        Format(file: "a.mov", settings: ["--preset", "proRes422"], video: "prores", audio: "aac"),
        Format(file: "a.webm", video: "vp9", audio: "opus", sampleRate: 48_000),
        Format(file: "a.mkv", settings: ["--set", "videoCodec=hevc"], video: "hevc", audio: "opus", sampleRate: 48_000),
        Format(file: "a.ts", video: "h264", audio: "aac", added: 1024),
        Format(file: "a.mp4", settings: ["--preset", "hevc1920x1080"], video: "hevc", audio: "aac"),
        Format(file: "a.mp4", settings: ["--set", "videoCodec=av1"], video: "av1", audio: "aac"),
        Format(file: "a.webm", settings: ["--set", "videoCodec=av1"], video: "av1", audio: "opus", sampleRate: 48_000),
        Format(file: "a.ts", settings: ["--set", "videoCodec=hevc"], video: "hevc", audio: "aac", added: 1024),
    ]
    static let sounds = [
        Format(file: "a.m4a", audio: "aac"), Format(file: "a.wav", audio: "pcm_s16le"), Format(file: "a.mp3", audio: "mp3"),
        Format(file: "a.flac", audio: "flac"), Format(file: "a.ogg", audio: "opus", sampleRate: 48_000),
    ]

    /// Two clips with a transition and a freeze: 3.7 s.
    private static let draft = """
        {"version": 1, "frameRate": 30, "title": "Formats", "mainTrackClips": [
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 0.5, "duration": 1.5}},
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 2}, "transition": {"type": "dissolve", "duration": 0.3}}],
         "effects": [{"type": "freeze", "duration": 0.5, "timeRangeAtMainTrack": {"start": 0.4, "duration": 1}}]}
        """

    private func codec(_ stream: String, _ film: String) async throws -> String {
        let text = try await FFmpegTool.ffprobe([
            "-select_streams", stream, "-show_entries", "stream=codec_name", "-of", "csv=p=0", film,
        ])
        // A transport stream's tracks are listed twice, because they also belong to its program.
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    @Test(
        "A film has every frame and sample in its place, and the same bytes from one and two processes",
        arguments: TestForm.part(5, of: pictures))
    func film(_ format: Format) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 160)
        var films: [Data] = []
        for jobs in ["1", "2"] {
            let film = try await SpoolTool.export(
                FormatTests.draft, in: directory, name: "\(jobs)\(format.file)",
                format.settings + ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
            guard jobs == "1" else { continue }
            #expect(try await codec("v", film) == format.video)
            #expect(try await codec("a", film) == format.audio)
            let numbers = try await SourceClips.numbers(of: film)
            let held = [Int](repeating: 27, count: 16) + Array(28..<51)
            #expect(Array(numbers.prefix(51)) == Array(15..<27) + held)
            #expect(numbers.count == 111)
            #expect(Array(numbers.suffix(51)) == Array(99..<150))
            try await checkLength(film, format)
        }
        #expect(films[0] == films[1])
    }

    @Test(
        "Sound rates from 8 to 192 kHz keep the pitch and the number of samples",
        arguments: [8_000, 11_025, 96_000, 192_000])
    func sampleRates(_ rate: Int) async throws {
        let directory = try TemporaryDirectory()
        for (name, from, to) in [("in", rate, 48_000), ("out", 48_000, rate)] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "sine=frequency=1000:sample_rate=\(from):duration=2", directory.file("\(name).wav"),
            ])
            let path = directory.file("draft.json")
            try Data(
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(name).wav"}]}"#.utf8
            ).write(to: URL(fileURLWithPath: path))
            for type in ["wav", "flac"] {
                let film = directory.file("\(name)-film.\(type)")
                let outcome = try await SpoolTool.run(["export", path, "-o", film, "--set", "sampleRate=\(to)"])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try await FFprobeReport.of(film).audio?.sampleRate == "\(to)")
                let sound = try await Waveform.decode(film, sampleRate: to, channels: 2).channel(0)
                #expect(sound.count == 2 * to)
                let crossings = zip(sound, sound.dropFirst()).count { ($0 < 0) != ($1 < 0) }
                #expect(abs(crossings - 4000) <= 2, "\(crossings) crossings of zero at \(from) Hz in, \(to) Hz out")
                let level = (sound.reduce(0) { $0 + Double($1) * Double($1) } / Double(sound.count)).squareRoot()
                #expect(abs(level - 0.125 / 2.0.squareRoot()) < 0.002)
            }
        }
    }

    @Test("A film of sound alone has every sample and its title", arguments: sounds)
    func sound(_ format: Format) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 160)
        let film = try await SpoolTool.export(FormatTests.draft, in: directory, name: format.file, format.settings)
        #expect(try await codec("v", film) == "")
        #expect(try await codec("a", film) == format.audio)
        try await checkLength(film, format)
        let tags = try await FFmpegTool.ffprobe(["-show_entries", "format_tags:stream_tags", film])
        #expect(tags.contains("Formats"))
        let samples = try await Waveform.decode(film, sampleRate: format.sampleRate, channels: 2).channel(0)
        let pitch = Measuring.pitch(of: samples.suffix(40_000), sampleRate: format.sampleRate)
        #expect(abs(pitch - 440) < 1)
    }

    /// Checks for 3.7 s of sound, exact to the sample. For AAC the container gives the length, and ffmpeg decodes the
    /// last packet to its end.
    private func checkLength(_ film: String, _ format: Format) async throws {
        let count = try await Waveform.decode(film, sampleRate: format.sampleRate, channels: 2).count
        let wanted = format.sampleRate * 37 / 10 + format.added
        if format.audio == "aac" {
            #expect(count >= wanted && count < wanted + 1024)
        } else {
            #expect(count == wanted)
        }
    }

    @Test(
        "Features that a format cannot hold are reported before anything is rendered",
        arguments: [
            (
                "a.mp4", "videoCodec=prores",
                "settings.videoCodec: a mp4 file cannot hold prores; it can hold h264, hevc, av1, vp9"
            ),
            ("a.ts", "videoCodec=vp9", "settings.videoCodec: a ts file cannot hold vp9; it can hold h264, hevc"),
            ("a.webm", "videoCodec=h264", "settings.videoCodec: a webm file cannot hold h264; it can hold vp9, av1"),
            ("a.wav", "videoCodec=h264", "settings.videoCodec: h264 does not go into a wav file: the WAV format has no video"),
            ("a.wav", "videoBitrate=500000", "settings.videoBitrate: is not supported: the WAV format has no video"),
            (
                "a.webm", "sampleRate=44100",
                "settings.sampleRate: 44100 is not a rate of Opus: 8000, 12000, 16000, 24000, 48000"
            ),
            ("a.mp4", "videoQuality=60", "settings.videoQuality: must be 0...51 for h264, not 60"),
            ("a.mp3", "channels=6", "settings.channels: MP3 has at most 2 channels"),
            ("a.gif", "channels=1", "settings.channels: is not supported: the GIF format has no sound"),
            ("a.gif", "videoQuality=20", "settings.videoQuality: is not supported with GIF; leave it out"),
            ("a.gif", "videoCodec=h264", "settings.videoCodec: a gif file cannot hold h264; it can hold gif"),
            ("a.mp4", "videoCodec=webp", "settings.videoCodec: a mp4 file cannot hold webp; it can hold h264, hevc, av1, vp9"),
            (
                "a.webp", "videoBitrate=500000",
                "settings.videoBitrate: is not supported with WebP; give a videoQuality"
            ),
        ])
    func refused(_ file: String, _ setting: String, _ message: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 160)
        let draft = directory.file("draft.json")
        try Data(FormatTests.draft.utf8).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(["export", draft, "-o", directory.file(file), "--set", setting])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
