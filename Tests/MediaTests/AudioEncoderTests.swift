import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// Encoded sound as other programs read it: its length is exact to the sample, and it is not shifted.
@Suite struct AudioEncoderTests {
    static let types = [FileType.mp4, .mov]

    @Test(
        "A file declares exactly as many samples as were encoded, from sample 0 on", arguments: types,
        [
            1, 1_023, 1_024, 1_025, 44_100, 100_001,
        ])
    func length(_ type: FileType, _ count: Int) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 44_100, channels: 2, count: count, seed: 5)
        let path = try encode(wave, type, in: directory)
        let audio = try #require(try await FFprobeReport.of(path).audio)
        #expect(audio.exactDuration == MediaTime(index: count, rate: 44_100))
        #expect(audio.startPts == 0)
        #expect(audio.codecName == "aac" && audio.channels == 2 && audio.sampleRate == "44100")
        #expect(try Probe.facts(ofFile: path).audio?.duration == MediaTime(index: count, rate: 44_100))
        // Decoders may return the last block in full, but no sample may be missing.
        let decoded = try await Waveform.decode(path, sampleRate: 44_100, channels: 2)
        #expect(decoded.count >= count && decoded.count < count + 1_024)
    }

    @Test(
        "Decoded sound is shifted by less than 1 ms, at 44.1 and 48 kHz, mono and stereo", arguments: [44_100, 48_000],
        [1, 2])
    func inPlace(_ sampleRate: Int, _ channels: Int) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: sampleRate, channels: channels, count: 60_000, seed: 6)
        let path = try encode(wave, .mp4, in: directory, blocks: [1, 700, 16_384])
        let decoded = try await Waveform.decode(path, sampleRate: sampleRate, channels: channels)
        for channel in 0..<channels {
            let delay = Measuring.delay(of: decoded.channel(channel), behind: wave.channel(channel), within: 1_200)
            #expect(abs(delay) <= sampleRate / 1000, "\(delay) samples late")
        }
    }

    @Test("The encoded bytes do not depend on the size of the blocks of samples")
    func blocks() async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.noise(sampleRate: 44_100, channels: 2, count: 30_000, seed: 7)
        var results: [[Double]] = []
        for blocks in [[30_000], [1, 1_000, 3], [4_096]] {
            let path = try encode(wave, .mp4, in: directory, blocks: blocks)
            results.append(try await Waveform.decode(path, sampleRate: 44_100, channels: 2).samples)
        }
        #expect(results[0] == results[1] && results[0] == results[2])
    }

    @Test("Samples beyond full scale are clipped at the end and do not wrap around")
    func clips() async throws {
        let directory = try TemporaryDirectory()
        let loud = Waveform(sampleRate: 44_100, channels: 1, samples: (0..<44_100).map { $0 / 50 % 2 == 0 ? 3 : -3 })
        let fair = Waveform(sampleRate: 44_100, channels: 1, samples: loud.samples.map { $0 / 3 })
        let paths = try [loud, fair].map { try encode($0, .mp4, in: directory, name: $0.samples[0] > 1 ? "loud" : "fair") }
        let decoded = [
            try await Waveform.decode(paths[0], sampleRate: 44_100, channels: 1),
            try await Waveform.decode(paths[1], sampleRate: 44_100, channels: 1),
        ]
        #expect(decoded[0].samples == decoded[1].samples)
    }

    /// - Parameter blocks: the sizes of the blocks that are encoded, repeated until the end.
    private func encode(
        _ wave: Waveform, _ type: FileType, in directory: TemporaryDirectory, blocks: [Int] = [5_000],
        name: String = "sound"
    ) throws -> String {
        let path = directory.file("\(name).\(type.rawValue)")
        let encoder = try AudioEncoder(
            AudioEncodeSettings(bitrate: 160_000, sampleRate: wave.sampleRate, channels: wave.channels))
        let writer = try MovieWriter(path: path, ContainerSettings(fileType: type, optimizeForNetworkUse: true, metadata: [:]))
        try writer.add(encoder)
        var (place, turn) = (0, 0)
        while place < wave.count {
            let count = min(blocks[turn % blocks.count], wave.count - place)
            let block = wave.samples[(place * wave.channels)..<((place + count) * wave.channels)].map(Float.init)
            try block.withUnsafeBufferPointer { try encoder.encode($0, to: writer) }
            place += count
            turn += 1
        }
        try encoder.finish(to: writer)
        try writer.finish()
        return path
    }
}
