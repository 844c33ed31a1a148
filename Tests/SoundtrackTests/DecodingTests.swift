import ExportPlan
import Media
import TestSupport
import Testing

/// Compares sources that are read at their own rate with ffmpeg's decoding and with the original sound.
@Suite struct DecodingTests {
    @Test("Sound in every stored form equals ffmpeg's decoding, from sample 0 on", arguments: StoredSound.all)
    func equalsFFmpeg(_ sound: StoredSound) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.varied(sampleRate: 48_000, channels: 2, seconds: 3)
        let source = try await sound.write(wave, in: directory)
        let decoded = try await Waveform.decode(source.path, sampleRate: 48_000, channels: 2)
        let count = min(decoded.count, wave.count)
        let heard = try mixed(.of(.playing("a", count: count), sampleRate: 48_000), ["a": source])
        #expect(largestDifference(heard, decoded.samples[..<(2 * count)]) < amplitude(decibels: -90))
    }

    @Test(
        "Sound whose container declares the encoder's delay is shifted by less than 1 ms",
        arguments: StoredSound.all.filter(\.signalsDelay))
    func inPlace(_ sound: StoredSound) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 48_000, channels: 2, count: 144_000, seed: 71)
        let source = try await sound.write(wave, in: directory)
        let delay = try delay(of: source, behind: wave)
        #expect(abs(delay) <= 48, "\(delay) samples late")
    }

    @Test(
        "Sound beside a picture is shifted by less than 1 ms",
        arguments: [
            ("film.mp4", ["-c:v", "libx264", "-bf", "3", "-c:a", "aac"]), ("film.mov", ["-c:v", "libx264", "-c:a", "pcm_s16le"]),
            ("film.mkv", ["-c:v", "libx264", "-bf", "0", "-c:a", "flac"]),
            ("film.webm", ["-c:v", "libvpx", "-b:v", "200k", "-c:a", "libvorbis", "-q:a", "6"]),
        ])
    func besidePicture(_ name: String, _ options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 48_000, channels: 2, count: 144_000, seed: 72)
        try await wave.write(to: directory.file("sound.wav"))
        try await FFmpegTool.ffmpeg(
            ["-i", directory.file("sound.wav"), "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=3", "-map", "1:v", "-map", "0:a"]
                + options + [directory.file(name)])
        let delay = try delay(of: try reference(directory.file(name)), behind: wave)
        #expect(abs(delay) <= 48, "\(delay) samples late")
    }

    /// The delay of a 48 kHz source behind the wave that it was made from, in samples.
    private func delay(of source: SourceReference, behind wave: Waveform) throws -> Int {
        let samples = try mixed(.of(.playing("a", count: 96_000, from: 24_000), sampleRate: 48_000), ["a": source])
        let heard = Waveform(sampleRate: 48_000, channels: 2, samples: samples)
        let original = Array(wave.channel(0)[24_000..<120_000])
        return Measuring.delay(of: heard.channel(0), behind: original, within: 1_300)
    }

    @Test("A source whose sound ends before its picture is silent after the end")
    func shortSound() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("short.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "sine=440:d=1:r=44100", "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=2", "-map", "1:v", "-map",
            "0:a",
            "-c:v", "libx264", "-c:a", "aac", path,
        ])
        let samples = try mixed(.of(.playing("a", count: 88_200)), ["a": try reference(path)])
        #expect(samples[20_000..<80_000].contains { abs($0) > 0.05 })
        // The sound may continue for one encoder block.
        #expect(samples[(2 * 46_200)...].allSatisfy { $0 == 0 })
    }
}
