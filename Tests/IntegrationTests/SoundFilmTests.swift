import ExactTime
import Testing
import TestSupport
import FoundationEssentials
import Glibc

/// The sound of an exported film as ffmpeg decodes it: exact to the sample, and without audible cuts.
@Suite struct SoundFilmTests {
    @Test("A trimmed clip's sound stays with its picture within 1 ms")
    func offset() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 120)
        let film = try await SpoolTool.export(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a.mp4", "timeRange": {"start": 0.7, "duration": 2.5}}]}"#,
            in: directory)
        let wanted = try await samples(source)
        let heard = try await samples(film)
        // The samples around the beep at source second 2, which is film second 1.3.
        let first = Array(wanted[(2 * 44_100 - 8000)..<(2 * 44_100 + 8000)])
        let second = Array(heard[(13 * 4410 - 8000)..<(13 * 4410 + 8000)])
        #expect(abs(Measuring.delay(of: second, behind: first, within: 441)) < 44)
    }

    @Test("A tone passes every segment boundary without a click")
    func noClick() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=32", "-ac", "2", directory.file("tone.wav"),
        ])
        let film = try await SpoolTool.export(
            """
            {"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 10, "mainTrackClips": [
              {"type": "av", "url": "tone.wav"}]}
            """, in: directory, ["--set", "audioBitrate=256000"])
        let heard = try await samples(film)
        // ffmpeg 5.1 decodes the whole last packet; only the container says how much of it counts.
        #expect((0..<1024).contains(heard.count - 32 * 44_100))
        // A pure tone obeys x[n+1] = 2 cos(w) x[n] - x[n-1]; a click does not.
        let w = 2 * cos(2 * Double.pi * 440 / 44_100)
        let inner = 4410..<(31 * 44_100)
        let residue = inner.map { abs(heard[$0 + 1] - w * heard[$0] + heard[$0 - 1]) }
        let amplitude = heard[inner].map(abs).max() ?? 0
        #expect(amplitude > 0.1)
        #expect((residue.max() ?? 1) < amplitude * 0.003)
    }

    /// The samples of the first channel.
    private func samples(_ path: String) async throws -> [Double] {
        let raw = path + ".f32"
        try await FFmpegTool.ffmpeg(["-i", path, "-map", "0:a", "-ac", "1", "-ar", "44100", "-f", "f32le", raw])
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        return data.withUnsafeBytes { bytes in
            (0..<(bytes.count / 4)).map { Double(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)) }
        }
    }
}
