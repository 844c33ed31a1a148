import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing
import Vocabulary

/// The start and end of picture and sound in WebM and Matroska films, as ffprobe and ffmpeg read them. Opus begins with
/// samples that are not heard, and the container's clock counts milliseconds.
@Suite struct MatroskaTimeTests {
    struct Film: Sendable, CustomTestStringConvertible {
        var type: FileType
        var codec: VideoCodec
        var rate: Rational
        var testDescription: String { "\(type.rawValue) \(codec.rawValue) \(rate)" }
    }

    static let films = [
        Film(type: .webm, codec: .vp9, rate: Rational(30)), Film(type: .webm, codec: .vp9, rate: Rational(30_000, 1001)),
        Film(type: .mkv, codec: .h264, rate: Rational(25)), Film(type: .mkv, codec: .h264, rate: Rational(30_000, 1001)),
    ]
    private static let frames = 37
    private static let size = FrameSize(width: 160, height: 96)

    @Test("Picture and sound both begin at 0, and the duration is exact", arguments: films)
    func beginAndEnd(_ film: Film) async throws {
        let directory = try TemporaryDirectory()
        let rate = try #require(FrameRate(film.rate))
        let length = rate.time(ofFrame: MatroskaTimeTests.frames)
        let wave = Waveform.varied(sampleRate: 48_000, channels: 2, seconds: 2)
        let count = length.rounded(toRate: 48_000)
        let sound = Waveform(sampleRate: 48_000, channels: 2, samples: Array(wave.samples.prefix(count * 2)))
        let path = directory.file("film.\(film.type.rawValue)")
        try write(film, sound, in: directory, to: path)

        let report = try await FFprobeReport.of(path)
        #expect(report.format.duration == FFprobeReport.microseconds(max(length, MediaTime(index: count, rate: 48_000))))
        #expect(report.video?.startPts == 0)
        #expect(report.video?.tags?["DURATION"] == nanoseconds(length))
        #expect(report.audio?.tags?["DURATION"] == nanoseconds(MediaTime(index: count, rate: 48_000)))
        for stream in ["v", "a"] {
            let first = try await FFmpegTool.ffprobe([
                "-select_streams", stream, "-read_intervals", "%+#1", "-show_entries", "frame=pts", "-of", "csv=p=0", path,
            ])
            #expect(first.prefix { $0 == "-" || $0.isNumber } == "0", "\(stream) begins at \(first)")
        }
        let shown = try await NumberedFrames(ofFile: path, size: MatroskaTimeTests.size)
        #expect(shown.frames.map(\.number) == Array(0..<MatroskaTimeTests.frames))
        // Each frame starts at the millisecond nearest to its exact time.
        #expect(
            shown.frames.map(\.time)
                == (0..<MatroskaTimeTests.frames).map {
                    MediaTime(index: rate.time(ofFrame: $0).rounded(toRate: 1000), rate: 1000)
                })
        let heard = try await Waveform.decode(path, sampleRate: 48_000, channels: 2)
        #expect(heard.count == count)
        #expect(Measuring.delay(of: heard.channel(0), behind: sound.channel(0), within: 500) == 0)
    }

    @Test(
        "Sound packets come every 20 ms from block time 0, and pictures keep their milliseconds",
        arguments: [FileType.webm, .mkv])
    func blockTimes(_ type: FileType) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.\(type.rawValue)")
        let sound = Waveform.varied(sampleRate: 48_000, channels: 2, seconds: 1)
        try write(Film(type: type, codec: .vp9, rate: Rational(30)), sound, in: directory, to: path)
        let times = try await FFmpegTool.ffprobe([
            "-select_streams", "a", "-show_entries", "packet=pts", "-of", "csv=p=0", path,
        ])
        let ticks = times.split(separator: "\n").compactMap { line in Int(line.prefix { $0 == "-" || $0.isNumber }) }
        // ffprobe's times count from the first sample that is heard, after 6.5 ms of silence.
        #expect(ticks.count > 40)
        #expect(ticks == ticks.indices.map { 20 * $0 - 7 })
    }

    private func write(_ film: Film, _ sound: Waveform, in directory: TemporaryDirectory, to path: String) throws {
        let opus = directory.file("sound.ogg")
        try write(sound, to: opus)
        let soundReader = try PacketReader(path: opus)
        let encoder = try VideoEncoder(
            VideoEncodeSettings(
                codec: film.codec, rate: .quality(constantRateFactor: 20), speed: "veryfast", maxKeyframeInterval: 12),
            size: MatroskaTimeTests.size, frameRate: try #require(FrameRate(film.rate)))
        let writer = try MovieWriter(
            path: path, ContainerSettings(fileType: film.type, optimizeForNetworkUse: true, metadata: [:]))
        try writer.add(encoder)
        try writer.add(copying: soundReader, .audio, timeBase: soundReader.timeBase)
        let picture = NumberedPicture(blue: 120, red: 140)
        for index in 0..<MatroskaTimeTests.frames {
            let frame = try VideoFrame(.yuv420, MatroskaTimeTests.size)
            picture.draw(index, into: frame)
            try encoder.encode(frame, index: index, to: writer)
        }
        try encoder.finish(to: writer)
        while let packet = try soundReader.next() {
            try packet.copy(
                to: writer, track: .audio, presentation: packet.presentationTicks, decoding: packet.decodingTicks,
                duration: packet.durationTicks, keepsMarks: true)
        }
        try writer.finish()
    }

    private func write(_ sound: Waveform, to path: String) throws {
        let encoder = try AudioEncoder(AudioEncodeSettings(codec: .opus, bitrate: 128_000, sampleRate: 48_000, channels: 2))
        let writer = try MovieWriter(path: path, ContainerSettings(fileType: .ogg, optimizeForNetworkUse: false, metadata: [:]))
        try writer.add(encoder)
        try sound.samples.map(Float.init).withUnsafeBufferPointer { block throws(MediaError) in
            try encoder.encode(block, to: writer)
        }
        try encoder.finish(to: writer)
        try writer.finish()
    }

    /// A duration under a minute as Matroska's tags write it.
    private func nanoseconds(_ time: MediaTime) -> String {
        let count = (time.seconds * Rational(1_000_000_000)).rounded
        let fraction = String(count % 1_000_000_000)
        return "00:00:0\(count / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
    }
}
