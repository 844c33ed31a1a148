import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import Glibc

/// Sound that is encoded in parts, each with a pre-roll, and joined packet by packet.
@Suite("Sound that is encoded in parts") struct EncodedPartTests {
    private let packet = 1024
    private let rate = 48_000
    /// Packets of a part. Short ones give many joints.
    private let length = 40

    /// Tones with hard beats, for which the encoder changes between long and short windows all the time.
    private func beats(_ count: Int, channels: Int) -> Waveform {
        var random = RandomNumbers(seed: 31)
        let hits = (0..<(count / 3_000)).map { _ in Int.random(in: 0..<count, using: &random) }.sorted()
        var envelope = [Double](repeating: 0, count: count)
        for hit in hits {
            for index in hit..<min(count, hit + 2_000) { envelope[index] += exp(-Double(index - hit) / 300) }
        }
        let samples = (0..<count).flatMap { index -> [Double] in
            let time = Double(index) / Double(rate)
            let tone = 0.2 * sin(2 * .pi * 330 * time) + 0.1 * sin(2 * .pi * (900 + 300 * sin(time)) * time)
            let hit = 0.3 * envelope[index] * sin(2 * .pi * 4_000 * time)
            return (0..<channels).map { Double(Float(tone * ($0 == 0 ? 1 : 0.7) + hit)) }
        }
        return Waveform(sampleRate: rate, channels: channels, samples: samples)
    }

    @Test("The decoded sound is as near to the original at joints as elsewhere", arguments: [1, 2])
    func joints(channels: Int) async throws {
        let directory = try TemporaryDirectory()
        let partCount = 60
        let wave = beats((partCount * length - 7) * packet + 333, channels: channels)
        let settings = AudioEncodeSettings(bitrate: 96_000 * channels, sampleRate: rate, channels: channels)
        let parts = try (0..<partCount).map { number in
            let preRoll = number == 0 ? 0 : 32
            let first = (number * length - preRoll) * packet
            let isLast = number == partCount - 1
            let end = isLast ? wave.count : min(wave.count, ((number + 1) * length + 4) * packet)
            return try encode(
                wave, first..<end, settings, AudioPacketRange(first: preRoll, count: isLast ? nil : length),
                to: directory.file("part-\(number).mp4"))
        }
        let joined = try join(parts, to: directory.file("joined.mp4"))
        let whole = try encode(wave, 0..<wave.count, settings, nil, to: directory.file("whole.mp4"))
        let audio = try #require(try await FFprobeReport.of(joined).audio)
        #expect(audio.exactDuration == MediaTime(index: wave.count, rate: rate) && audio.startPts == 0)
        let errors = try await blockErrors(of: joined, wave)
        let wholeErrors = try await blockErrors(of: whole, wave)
        // A joint is at the first sample of a part's first packet, whose window reaches over the block before.
        let joints = (1..<partCount).flatMap { [$0 * length - 2, $0 * length - 1, $0 * length] }
        let worst = joints.compactMap { errors.indices.contains($0) ? errors[$0] : nil }.max() ?? 0
        let others = errors.indices.filter { !joints.contains($0) }.map { errors[$0] }
        print(
            "\(channels) channels: largest error of a block of 1024 samples \(worst) at joints, \(others.max() ?? 0) elsewhere, "
                + "\(wholeErrors.max() ?? 0) where the sound is encoded whole; mean \(mean(errors)) and \(mean(wholeErrors))")
        #expect(worst > 0 && worst <= 1.05 * (wholeErrors.max() ?? 0))
        // In parts that are as short as these, the allocation of bits after each joint is heard a little; parts of a film are
        // seventy times as long.
        #expect(mean(errors) <= 1.25 * mean(wholeErrors))
    }

    /// - Parameter packets: the packets that are kept; nil for all.
    private func encode(
        _ wave: Waveform, _ samples: Range<Int>, _ settings: AudioEncodeSettings, _ packets: AudioPacketRange?, to path: String
    ) throws -> String {
        let encoder = try AudioEncoder(settings, keeping: packets)
        let writer = try MovieWriter(path: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: false, metadata: [:]))
        try writer.add(encoder)
        let block = wave.samples[(samples.lowerBound * wave.channels)..<(samples.upperBound * wave.channels)].map(Float.init)
        try block.withUnsafeBufferPointer { try encoder.encode($0, to: writer) }
        try encoder.finish(to: writer)
        if let count = packets?.count { #expect(encoder.keptPackets == count) }
        try writer.finish()
        return path
    }

    /// Copies the packets of all parts into one file, as the stitch does.
    private func join(_ parts: [String], to path: String) throws -> String {
        let writer = try MovieWriter(path: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: false, metadata: [:]))
        for (number, part) in parts.enumerated() {
            let reader = try PacketReader(path: part)
            if number == 0 { try writer.add(copying: reader, .audio, timeBase: reader.timeBase) }
            let start = number == 0 ? 0 : Int64((number * length - 1) * packet)
            while let packet = try reader.next() {
                try packet.copy(
                    to: writer, track: .audio, presentation: packet.presentationTicks + start,
                    decoding: packet.decodingTicks + start, duration: packet.durationTicks)
            }
        }
        try writer.finish()
        return path
    }

    /// The root mean square of the differences to the original in each block of 1024 samples.
    private func blockErrors(of path: String, _ wave: Waveform) async throws -> [Double] {
        let decoded = try await Waveform.decode(path, sampleRate: rate, channels: wave.channels)
        #expect(decoded.count >= wave.count && decoded.count < wave.count + packet)
        let size = packet * wave.channels
        return (0..<(wave.count / packet)).map { block in
            let sum = (block * size..<(block + 1) * size).reduce(0.0) { sum, index in
                let difference = decoded.samples[index] - wave.samples[index]
                return sum + difference * difference
            }
            return sqrt(sum / Double(size))
        }
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
}
