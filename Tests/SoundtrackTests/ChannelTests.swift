import ExportPlan
import Media
import TestSupport
import Testing

/// Compares up- and downmixes of channels with explicit matrices.
@Suite struct ChannelTests {
    private static let count = 20_000
    private static let tolerance = amplitude(decibels: -90)

    @Test("Mono plays at full level on both sides")
    func monoToStereo() async throws {
        let (source, wave) = try await noise(channels: 1)
        let heard = try mixed(.of(.playing("a", count: ChannelTests.count)), ["a": source.reference])
        #expect(largestDifference(heard, wave.samples.flatMap { [$0, $0] }) < ChannelTests.tolerance)
    }

    @Test("Stereo to mono is the mean of both sides")
    func stereoToMono() async throws {
        let (source, wave) = try await noise(channels: 2)
        let heard = try mixed(.of(.playing("a", count: ChannelTests.count), channels: 1), ["a": source.reference])
        let mean = zip(wave.channel(0), wave.channel(1)).map { ($0 + $1) / 2 }
        #expect(largestDifference(heard, mean) < ChannelTests.tolerance)
    }

    @Test("Mono and stereo are unchanged without a change of channels")
    func unchanged() async throws {
        for channels in [1, 2] {
            let (source, wave) = try await noise(channels: channels)
            let heard = try mixed(.of(.playing("a", count: ChannelTests.count), channels: channels), ["a": source.reference])
            #expect(largestDifference(heard, wave.samples) < ChannelTests.tolerance)
        }
    }

    @Test("5.1 becomes stereo as in ITU-R BS.775: centre and surrounds at -3 dB, no LFE", arguments: ["5.1", "5.1(side)"])
    func surroundToStereo(_ layout: String) async throws {
        let (source, wave) = try await noise(channels: 6, ["-channel_layout", layout])
        let heard = try mixed(.of(.playing("a", count: ChannelTests.count)), ["a": source.reference])
        // The channels are front left, front right, centre, LFE, surround left, surround right.
        let half = 0.5.squareRoot()
        let wanted = stride(from: 0, to: wave.samples.count, by: 6).flatMap { index -> [Double] in
            let centre = half * wave.samples[index + 2]
            return [
                wave.samples[index] + centre + half * wave.samples[index + 4],
                wave.samples[index + 1] + centre + half * wave.samples[index + 5],
            ]
        }
        #expect(largestDifference(heard, wanted) < ChannelTests.tolerance)
    }

    @Test("A 5.1 mix keeps 5.1, puts stereo in front left and right, and mono in the centre", arguments: [1, 2, 6])
    func toSurround(_ channels: Int) async throws {
        let (source, wave) = try await noise(channels: channels, channels == 6 ? ["-channel_layout", "5.1"] : [])
        let heard = try mixed(.of(.playing("a", count: ChannelTests.count), channels: 6), ["a": source.reference])
        let places = [1: [2], 2: [0, 1], 6: [0, 1, 2, 3, 4, 5]][channels] ?? []
        let wanted = (0..<ChannelTests.count).flatMap { sample in
            (0..<6).map { place in places.firstIndex(of: place).map { wave.samples[sample * channels + $0] } ?? 0 }
        }
        #expect(largestDifference(heard, wanted) < ChannelTests.tolerance)
    }

    private func noise(
        channels: Int, _ options: [String] = []
    ) async throws -> (source: (reference: SourceReference, directory: TemporaryDirectory), wave: Waveform) {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 44_100, channels: channels, count: ChannelTests.count, seed: 81)
        try await wave.write(to: directory.file("noise.wav"), options + ["-c:a", "pcm_f32le"])
        return ((try reference(directory.file("noise.wav")), directory), wave)
    }
}
