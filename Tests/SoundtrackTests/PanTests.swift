import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary
import Glibc

/// Sounds that are moved between left and right, compared with the formulas of the Web Audio API's `StereoPannerNode`.
@Suite("Pan")
struct PanTests {
    @Test("A constant pan has the formula's samples, and the middle changes nothing", arguments: [-1, -0.4, 0, 0.25, 1])
    func constant(_ pan: Double) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 44_100, channels: 2, count: 20_000, seed: 3)
        try await wave.write(to: directory.file("a.wav"))
        var input = AudioSliceInput.playing("a", count: 20_000)
        input.pan = .constant(1 + pan)
        let heard = try mixed(.of(input), ["a": try reference(directory.file("a.wav"))])
        #expect(largestDifference(heard, panned(wave) { _ in pan }) < amplitude(decibels: -120))
    }

    @Test("A pan that moves is evaluated at every sample, wherever the sound is cut")
    func moving() async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 44_100, channels: 2, count: 44_100, seed: 4)
        try await wave.write(to: directory.file("a.wav"))
        let sources = ["a": try reference(directory.file("a.wav"))]
        var input = AudioSliceInput.playing("a", count: 44_100)
        input.pan = GainCurve(points: [.init(time: .zero, gain: 0), .init(time: MediaTime(seconds: 1), gain: 2)])
        let slice = AudioSlice.of(input)
        let heard = try mixed(slice, sources)
        #expect(largestDifference(heard, panned(wave) { -1 + 2 * Double($0) / 44_100 }) < amplitude(decibels: -110))
        let cut = try mixed(slice.segment(0..<12_345), sources) + mixed(slice.segment(12_345..<44_100), sources)
        #expect(largestDifference(cut, heard) < amplitude(decibels: -120))
    }

    @Test("One channel has nothing to move; of 5.1, the front and the surround channels move")
    func channels() async throws {
        let directory = try TemporaryDirectory()
        let mono = Waveform.noise(sampleRate: 44_100, channels: 1, count: 5_000, seed: 5)
        try await mono.write(to: directory.file("m.wav"))
        let six = Waveform.noise(sampleRate: 44_100, channels: 6, count: 5_000, seed: 6)
        try await six.write(to: directory.file("s.wav"))
        let sources = ["m": try reference(directory.file("m.wav")), "s": try reference(directory.file("s.wav"))]
        var input = AudioSliceInput.playing("m", count: 5_000)
        input.pan = .constant(0)
        #expect(largestDifference(try mixed(.of(input, channels: 1), sources), mono.samples) < amplitude(decibels: -120))
        var surround = AudioSliceInput.playing("s", count: 5_000)
        let before = try mixed(.of(surround, channels: 6), sources)
        surround.pan = .constant(0)
        let after = try mixed(.of(surround, channels: 6), sources)
        for frame in stride(from: 0, to: before.count, by: 6) {
            let (old, new) = (before[frame..<(frame + 6)], after[frame..<(frame + 6)])
            let wanted = [old[frame] + old[frame + 1], 0, old[frame + 2], old[frame + 3], old[frame + 4] + old[frame + 5], 0]
            guard zip(wanted, new).allSatisfy({ abs($0 - $1) < 1e-6 }) else {
                Issue.record("sample \(frame / 6): \(Array(old)) became \(Array(new))")
                return
            }
        }
    }

    /// The formula for a stereo input.
    private func panned(_ wave: Waveform, _ pan: (Int) -> Double) -> [Double] {
        (0..<wave.count).flatMap { index -> [Double] in
            let (left, right, pan) = (wave.samples[2 * index], wave.samples[2 * index + 1], pan(index))
            let x = pan <= 0 ? pan + 1 : pan
            let (gainL, gainR) = (cos(x * .pi / 2), sin(x * .pi / 2))
            return pan <= 0 ? [left + right * gainL, right * gainR] : [left * gainL, right + left * gainR]
        }
    }
}
