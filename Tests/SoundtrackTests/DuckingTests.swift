import ExactTime
import ExportPlan
import TestSupport
import Testing
import Glibc

/// Sounds that are ducked for the main track.
@Suite struct DuckingTests {
    private static let rate = 8_000
    private static let duck = SideChainGain(
        gain: 0.25, attack: MediaTime(Rational(1, 10)), hold: MediaTime(Rational(3, 10)), release: MediaTime(Rational(1, 2)),
        threshold: -40)

    /// A voice at 1...1.2 s and at 3...3.5 s, which at 2 s is below the threshold, and music at a level of 0.4.
    private func film(_ directory: TemporaryDirectory) async throws -> (slice: AudioSlice, sources: [String: SourceReference]) {
        let (voice, music) = (directory.file("voice.wav"), directory.file("music.wav"))
        try await Waveform.of(sampleRate: DuckingTests.rate, channels: 1, count: 40_000) { time in
            let level = time >= 1 && time < 1.2 || time >= 3 && time < 3.5 ? 0.1 : time >= 2 && time < 2.3 ? 0.002 : 0
            return level * sin(2 * .pi * 400 * time)
        }.write(to: voice)
        try await Waveform.of(sampleRate: DuckingTests.rate, channels: 1, count: 40_000) { _ in 0.4 }.write(to: music)
        var input = AudioSliceInput.playing("music", count: 40_000)
        input.duck = DuckingTests.duck
        let chain = SideChain(leadIn: 0, sampleCount: 40_000, inputs: [.playing("voice", count: 40_000)])
        let slice = AudioSlice(
            sampleRate: DuckingTests.rate, channels: 1, sampleCount: 40_000, inputs: [input], sideChain: chain)
        return (slice, ["voice": try reference(voice), "music": try reference(music)])
    }

    @Test(
        "Music is ducked before, during and after the voice, but not for sound below the threshold")
    func shape() async throws {
        let directory = try TemporaryDirectory()
        let (slice, sources) = try await film(directory)
        let gains = try mixed(slice, sources).map { $0 / 0.4 }
        // The gain is a linear function of the distance from the voice, in tens of milliseconds.
        func wanted(_ time: Double) -> Double {
            var depth = 0.0
            for (start, end) in [(1.0, 1.2), (3.0, 3.5)] {
                if time < start { depth = max(depth, 1 - (start - time) / 0.1) }
                if time >= start, time < end { depth = 1 }
                if time >= end { depth = max(depth, min(1, 1 - (time - end - 0.3) / 0.5)) }
            }
            return 1 - 0.75 * max(0, depth)
        }
        for index in stride(from: 0, to: 40_000, by: 40) {
            let time = Double(index) / 8_000
            #expect(abs(gains[index] - wanted(time)) < 0.02, "\(gains[index]) at \(time) s")
        }
    }

    @Test("A segment has the gains of the whole sound, wherever it is cut")
    func cuts() async throws {
        let directory = try TemporaryDirectory()
        let (slice, sources) = try await film(directory)
        let whole = try mixed(slice, sources)
        for start in [0, 7_999, 12_345, 25_600, 30_001] {
            let range = start..<min(40_000, start + 9_000)
            var part = slice.segment(range)
            // The side chain starts earlier by hold and release, at a whole block.
            let first = max(0, range.lowerBound - 6_400) / 80 * 80
            let end = min(40_000, range.upperBound + 800)
            part.sideChain = SideChain(
                leadIn: range.lowerBound - first, sampleCount: end - first,
                inputs: [.playing("voice", count: end - first, from: first)])
            #expect(try mixed(part, sources) == Array(whole[range]), "\(range)")
        }
    }
}
