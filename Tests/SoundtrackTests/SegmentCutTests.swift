import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// A film's sound is mixed in segments on different machines, so a segment must not depend on where it was cut.
@Suite struct SegmentCutTests {
    private static let tolerance = amplitude(decibels: -90)
    private static let cuts = [0, 22_051, 88_207, 130_001, 131_072, 300_003, 352_800]

    @Test(
        "A cut mix of a 48 kHz source at 44.1 kHz equals the whole within -90 dB",
        arguments: StoredSound.all)
    func cut(_ sound: StoredSound) async throws {
        let directory = try TemporaryDirectory()
        let source = try await sound.write(.varied(sampleRate: 48_000, channels: 2, seconds: 10), in: directory)
        let curve = GainCurve(points: [
            .init(time: MediaTime(seconds: 1), gain: 0.4), .init(time: MediaTime(seconds: 5), gain: 1.2),
        ])
        let plain = AudioSlice.of(.playing("a", at: 501, count: 352_299, from: 11_025, gains: [curve]))
        try expectSeamless(plain, ["a": source])
    }

    @Test(
        "A cut reversed mix equals the whole within -90 dB",
        arguments: [
            StoredSound.all[0], StoredSound.all[3], StoredSound.all[6],
        ])
    func reversed(_ sound: StoredSound) async throws {
        let directory = try TemporaryDirectory()
        let source = try await sound.write(.varied(sampleRate: 48_000, channels: 2, seconds: 10), in: directory)
        try expectSeamless(.of(.playing("a", count: 352_800, from: 400_000, reversed: true)), ["a": source])
    }

    @Test(
        "A cut mix at another speed equals the whole within -90 dB",
        arguments: [
            Rational(1, 2), Rational(7, 10), Rational(3, 2), Rational(16, 1), Rational(1001, 1000), Rational(1237, 1000),
        ])
    func varispeed(_ rate: Rational) async throws {
        let directory = try TemporaryDirectory()
        let source = try await StoredSound.all[0].write(.varied(sampleRate: 48_000, channels: 2, seconds: 10), in: directory)
        let count = min(352_800, (Rational(430_000) / rate).floor)
        let slice = AudioSlice.of(.playing("a", count: count, from: 5_000, rate: rate))
        try expectSeamless(slice, ["a": source], cuts: SegmentCutTests.cuts.filter { $0 < count } + [count])
    }

    @Test(
        "A cut mix of real sounds equals the whole within -90 dB",
        .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
        arguments: [
            // AAC is left out: its decoder's noise depends on where it started, and the planner never cuts inside it.
            "audio/voice_58s_44k1_stereo.mp3", "av/bbb_720p24_vp8_vorbis_30s.webm", "av/bbb_1080p24_mpeg2_mp2_2s.ts",
            "audio/bbb_5.1_opus_8k_source.ogg",
        ])
    func real(_ name: String) throws {
        let source = try reference(SharedMedia.file(name))
        let count = min(352_800, source.facts.audio?.duration.rounded(toRate: 44_100) ?? 0)
        let slice = AudioSlice.of(.playing("a", count: count))
        try expectSeamless(slice, ["a": source], cuts: SegmentCutTests.cuts.filter { $0 < count } + [count])
    }

    private func expectSeamless(
        _ slice: AudioSlice, _ sources: [String: SourceReference], cuts: [Int] = SegmentCutTests.cuts
    ) throws {
        let whole = try mixed(slice, sources)
        #expect(whole.contains { abs($0) > 0.02 })
        for (start, end) in zip(cuts, cuts.dropFirst()) {
            let mixedSegment = try mixed(slice.segment(start..<end), sources)
            let difference = largestDifference(mixedSegment, whole[(2 * start)..<(2 * end)])
            #expect(difference < SegmentCutTests.tolerance, "samples \(start) ..< \(end)")
        }
    }
}
