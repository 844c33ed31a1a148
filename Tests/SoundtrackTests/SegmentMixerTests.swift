import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// Compares the mixer with the reference mix on white noise, where a shift by one sample is the largest possible error.
@Suite struct SegmentMixerTests {
    private static let rate = 44_100
    private static let tolerance = amplitude(decibels: -90)

    @Test("Gains, ramps, fades and positions equal those of a mix in Double within -90 dB")
    func equalsReference() async throws {
        let sources = try await NoiseSources()
        let linear = [MediaTime(Rational(1, 7)), MediaTime(Rational(5, 7))]
        let inputs = [
            AudioSliceInput.playing("a", count: 40_000, from: 3, gains: [.constant(0.6)]),
            .playing("b", at: 12_345, count: 20_000, from: 777, gains: [.constant(1.5), ramp(linear, 0.2, 1.3)]),
            .playing("a", at: 33_333, count: 10_001, from: 30_000, gains: [ramp(linear, 0, 1, .qsin), ramp(linear, 1, 0)]),
            .playing("b", at: 49_999, count: 1, from: 5),
        ]
        let slice = AudioSlice(sampleRate: SegmentMixerTests.rate, channels: 2, sampleCount: 50_000, inputs: inputs)
        let wanted = ReferenceMix(slice: slice, sources: sources.waves).samples()
        #expect(largestDifference(try mixed(slice, sources.references), wanted) < SegmentMixerTests.tolerance)
    }

    @Test("Between ramps the last gain holds, and a step takes effect at its own sample")
    func rampsHold() async throws {
        let sources = try await NoiseSources()
        let points: [(Int, Double)] = [(5_000, 1), (5_000, 0.5), (10_000, 2), (20_000, 2), (20_000, 0), (25_000, 1)]
        let curve = GainCurve(points: points.map { .init(time: MediaTime(index: $0.0, rate: 44_100), gain: $0.1) })
        let slice = AudioSlice.of(.playing("a", count: 30_000, gains: [curve]))
        let result = try mixed(slice, sources.references)
        let wave = try #require(sources.waves["a"])
        for (index, gain) in [(4_999, 1.0), (5_000, 0.5), (7_500, 1.25), (15_000, 2), (19_999, 2), (20_000, 0), (29_999, 1)] {
            #expect(abs(result[2 * index] - gain * wave.samples[2 * index]) < SegmentMixerTests.tolerance, "sample \(index)")
        }
        let wanted = ReferenceMix(slice: slice, sources: sources.waves).samples()
        #expect(largestDifference(result, wanted) < SegmentMixerTests.tolerance)
    }

    @Test("A linear crossfade of a sound with itself changes nothing; an equal-power one keeps the sum of squares")
    func crossfades() async throws {
        let sources = try await NoiseSources()
        let range = [MediaTime.zero, MediaTime(Rational(1, 2))]
        func faded(_ shape: FadeCurve) throws -> (out: [Double], in: [Double]) {
            (
                try mixed(.of(.playing("a", count: 22_050, gains: [ramp(range, 1, 0, shape)])), sources.references),
                try mixed(.of(.playing("a", count: 22_050, gains: [ramp(range, 0, 1, shape)])), sources.references)
            )
        }
        let plain = try mixed(.of(.playing("a", count: 22_050)), sources.references)
        let linear = try faded(.tri)
        #expect(largestDifference(zip(linear.out, linear.in).map { $0 + $1 }, plain) < SegmentMixerTests.tolerance)
        let power = try faded(.qsin)
        let squares = zip(power.out, power.in).map { $0 * $0 + $1 * $1 }
        #expect(largestDifference(squares, plain.map { $0 * $0 }) < SegmentMixerTests.tolerance)
    }

    @Test("The repetitions of a loop follow each other seamlessly")
    func loops() async throws {
        let sources = try await NoiseSources()
        let length = 7_001
        let repetitions = (0..<5).map { AudioSliceInput.playing("a", at: $0 * length, count: length, from: 100) }
        let slice = AudioSlice(sampleRate: 44_100, channels: 2, sampleCount: 5 * length - 13, inputs: repetitions)
        let wave = try #require(sources.waves["a"])
        let wanted: [Double] = (0..<slice.sampleCount).flatMap { index -> [Double] in
            let sample = 2 * (100 + index % length)
            return [wave.samples[sample], wave.samples[sample + 1]]
        }
        #expect(largestDifference(try mixed(slice, sources.references), wanted) < SegmentMixerTests.tolerance)
    }

    @Test("A reversed sound is the forward sound from its last sample to its first")
    func reverse() async throws {
        let sources = try await NoiseSources()
        let forward = try mixed(.of(.playing("a", count: 50_000, from: 1_000)), sources.references)
        let backward = try mixed(.of(.playing("a", count: 50_000, from: 50_999, reversed: true)), sources.references)
        let rotated = (0..<50_000).reversed().flatMap { [forward[2 * $0], forward[2 * $0 + 1]] }
        #expect(largestDifference(backward, rotated) < SegmentMixerTests.tolerance)
        #expect(forward.contains { abs($0) > 0.1 })
    }

    @Test("Before the start and after the end of a source there is silence")
    func silenceOutside() async throws {
        let sources = try await NoiseSources()
        let wave = try #require(sources.waves["a"])
        let slice = AudioSlice.of(.playing("a", count: 4_000, from: wave.count - 1_500))
        let late = try mixed(slice, sources.references)
        let wanted = ReferenceMix(slice: slice, sources: sources.waves).samples()
        #expect(largestDifference(late, wanted) < SegmentMixerTests.tolerance)
        #expect(late[3_000...].allSatisfy { $0 == 0 })
        let wayBehind = try mixed(.of(.playing("a", count: 500, from: wave.count + 500_000)), sources.references)
        #expect(wayBehind.allSatisfy { $0 == 0 } && wayBehind.count == 1_000)
        let early = try mixed(.of(.playing("a", count: 2_000, from: -1_000)), sources.references)
        #expect(early[..<2_000].allSatisfy { $0 == 0 })
        #expect(largestDifference(early[2_000...], wave.samples[..<2_000]) < SegmentMixerTests.tolerance)
    }

    @Test("Nothing is clipped: the sum of loud sounds keeps its amplitude")
    func doesNotClip() async throws {
        let sources = try await NoiseSources()
        let slice = AudioSlice.of(.playing("a", count: 2_000, gains: [.constant(8)]))
        let result = try mixed(slice, sources.references)
        #expect((result.max() ?? 0) > 1.5)
        #expect(largestDifference(result, ReferenceMix(slice: slice, sources: sources.waves).samples()) < 1e-4)
    }

    private func ramp(_ times: [MediaTime], _ from: Double, _ to: Double, _ shape: FadeCurve = .tri) -> GainCurve {
        GainCurve(shape: shape, points: zip(times, [from, to]).map { .init(time: $0, gain: $1) })
    }
}

/// Two files of stereo noise at 44.1 kHz, which need no conversion.
private struct NoiseSources {
    let directory: TemporaryDirectory
    var waves: [String: Waveform] = [:]
    var references: [String: SourceReference] = [:]

    init() async throws {
        directory = try TemporaryDirectory()
        for (seed, name) in ["a", "b"].enumerated() {
            let wave = Waveform.noise(sampleRate: 44_100, channels: 2, count: 60_000, seed: UInt64(seed))
            try await wave.write(to: directory.file("\(name).wav"))
            waves[name] = wave
            references[name] = try reference(directory.file("\(name).wav"))
        }
    }
}
