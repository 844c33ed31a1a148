import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Compares every fade curve with ffmpeg's `afade`.
@Suite struct FadeCurveTests {
    private static let count = 8_000

    @Test("Fades in and out equal ffmpeg's, sample by sample", arguments: FadeCurve.allCases)
    func equalsFFmpeg(_ curve: FadeCurve) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("level.wav")
        try await Waveform.of(sampleRate: 8_000, channels: 1, count: FadeCurveTests.count) { _ in 0.5 }.write(to: path)
        let whole = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        for (type, from, to) in [("in", 0.0, 1.0), ("out", 1.0, 0.0)] {
            let faded = directory.file("\(type).wav")
            try await FFmpegTool.ffmpeg([
                "-i", path, "-af", "afade=t=\(type):st=0:d=1:curve=\(curve.rawValue)", "-c:a", "pcm_f32le", faded,
            ])
            let theirs = try await Waveform.decode(faded, sampleRate: 8_000, channels: 1).samples
            let gain = GainCurve(
                shape: curve, points: [.init(time: whole.start, gain: from), .init(time: whole.end, gain: to)])
            let slice = AudioSlice.of(
                .playing("a", count: FadeCurveTests.count, gains: [gain]), sampleRate: 8_000, channels: 1)
            let ours = try mixed(slice, ["a": try reference(path)])
            let worst = zip(ours, theirs).reduce(0.0) { max($0, abs($1.0 - $1.1)) }
            #expect(worst < 1e-4, "\(type): \(worst)")
        }
    }

    @Test("Every fade curve rises from 0 to 1 and never falls", arguments: FadeCurve.allCases)
    func ends(_ curve: FadeCurve) {
        #expect(curve.gain(at: 1) == 1 || abs(curve.gain(at: 1) - 1) < 1e-12)
        #expect(curve.gain(at: 0) < 1e-4 || curve == .nofade)
        let gains = (0...1000).map { curve.gain(at: Double($0) / 1000) }
        #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
    }
}
