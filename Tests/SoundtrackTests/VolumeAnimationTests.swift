import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Compares volumes that change over time with the timing functions themselves.
@Suite struct VolumeAnimationTests {
    private static let rate = 44_100
    private static let count = 44_100

    /// A volume from 0.2 up to 1.4 and down to 0.5, at keyframes between samples.
    private func volume(_ easing: TimingFunction) -> AnimatedValue {
        AnimatedValue(keys: [
            .init(time: MediaTime(Rational(1, 7)), value: 0.2, easing: easing),
            .init(time: MediaTime(Rational(4, 7)), value: 1.4, easing: easing),
            .init(time: MediaTime(Rational(6, 7)), value: 0.5, easing: easing),
        ])
    }

    private func slice(_ easing: TimingFunction) -> AudioSlice {
        .of(.playing("a", count: VolumeAnimationTests.count, gains: [GainCurve(volume(easing))]))
    }

    /// A source whose samples are all 1.
    private func source(_ directory: TemporaryDirectory) async throws -> [String: SourceReference] {
        let wave = Waveform.of(sampleRate: VolumeAnimationTests.rate, channels: 2, count: VolumeAnimationTests.count) { _ in 0.5 }
        try await wave.write(to: directory.file("a.wav"))
        return ["a": try reference(directory.file("a.wav"))]
    }

    @Test("Every sample has the gain of its timing function at its exact time, limited to 0...8")
    func everySample() async throws {
        let directory = try TemporaryDirectory()
        let sources = try await source(directory)
        let names = TimingFunction.names + ["cubicBezier(0.2,-1,0.3,2)"]
        for easing in names.compactMap({ TimingFunction($0) }) {
            let found = try mixed(slice(easing), sources)
            let volume = volume(easing)
            var worst = 0.0
            for index in 0..<VolumeAnimationTests.count {
                let value = volume.value(at: MediaTime(index: index, rate: VolumeAnimationTests.rate))
                worst = max(worst, abs(found[2 * index] - 0.5 * min(max(value, 0), 8)))
            }
            #expect(worst < 1e-6, "\(easing.text)")
        }
    }

    @Test("A sound has a keyframe's volume at the keyframe, and constant volume before the first and after the last")
    func atKeys() async throws {
        let directory = try TemporaryDirectory()
        let keys: [(Int, Double)] = [(1_000, 0.25), (20_000, 1), (30_000, 0)]
        let volume = AnimatedValue(
            keys: keys.map { .init(time: MediaTime(index: $0.0, rate: 44_100), value: $0.1, easing: .hold) })
        let found = try mixed(
            .of(.playing("a", count: VolumeAnimationTests.count, gains: [GainCurve(volume)])), try await source(directory))
        for (index, gain) in [(0, 0.25), (19_999, 0.25), (20_000, 1), (29_999, 1), (30_000, 0), (44_099, 0)] {
            #expect(found[2 * index] == 0.5 * gain, "sample \(index)")
        }
    }

    @Test(
        "A sound with an animated volume that is cut into segments equals the whole",
        arguments: ["linear", "hold", "easeInOut", "elasticOut", "bounceIn", "sineInOut"])
    func cut(_ name: String) async throws {
        let easing = try #require(TimingFunction(name))
        let directory = try TemporaryDirectory()
        let sources = try await source(directory)
        let whole = try mixed(slice(easing), sources)
        for (start, end) in [(0, 6_299), (6_299, 6_301), (6_301, 25_200), (25_200, 31_007), (31_007, 44_100)] {
            let mixedSegment = try mixed(slice(easing).segment(start..<end), sources)
            #expect(mixedSegment == Array(whole[(2 * start)..<(2 * end)]), "samples \(start) ..< \(end)")
        }
    }
}
