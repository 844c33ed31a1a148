import Glibc
import FoundationEssentials

/// Interleaved samples in `Double`, for references and measurements.
package struct Waveform: Sendable {
    package let sampleRate: Int
    package let channels: Int
    package var samples: [Double]

    package init(sampleRate: Int, channels: Int, samples: [Double]) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samples = samples
    }

    /// The number of samples per channel.
    package var count: Int { samples.count / channels }

    /// One channel alone.
    package func channel(_ index: Int) -> [Double] {
        stride(from: index, to: samples.count, by: channels).map { samples[$0] }
    }

    /// White noise, different in each channel.
    package static func noise(
        sampleRate: Int, channels: Int, count: Int, level: Double = 0.25, seed: UInt64
    ) -> Waveform {
        var random = RandomNumbers(seed: seed)
        let samples = (0..<(count * channels)).map { _ in Double(Float(Double.random(in: -level...level, using: &random))) }
        return Waveform(sampleRate: sampleRate, channels: channels, samples: samples)
    }

    /// A function of time in seconds, the same in every channel.
    package static func of(
        sampleRate: Int, channels: Int, count: Int, _ value: (Double) -> Double
    ) -> Waveform {
        let samples = (0..<count).flatMap { index in
            [Double](repeating: Double(Float(value(Double(index) / Double(sampleRate)))), count: channels)
        }
        return Waveform(sampleRate: sampleRate, channels: channels, samples: samples)
    }

    /// A sound without repetition: three gliding tones and a beat, so that no two positions are alike.
    package static func varied(sampleRate: Int, channels: Int, seconds: Double) -> Waveform {
        of(sampleRate: sampleRate, channels: channels, count: Int(seconds * Double(sampleRate))) { time in
            let low = sin(2 * .pi * (110 + 40 * time) * time)
            let middle = sin(2 * .pi * (900 + 300 * sin(time)) * time)
            let high = sin(2 * .pi * (4000 - 150 * time) * time)
            return (0.2 * low + 0.1 * middle + 0.05 * high) * (0.6 + 0.4 * sin(2 * .pi * 1.7 * time))
        }
    }

    /// Writes the sound with ffmpeg.
    /// - Parameter options: the encoder and its settings; 32-bit float PCM for a WAV file when empty.
    package func write(to path: String, _ options: [String] = ["-c:a", "pcm_f32le"]) async throws {
        let raw = path + ".f32"
        try samples.map(Float.init).withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: raw)) }
        try await FFmpegTool.ffmpeg(
            ["-f", "f32le", "-ar", "\(sampleRate)", "-ac", "\(channels)", "-i", raw] + options + [path])
        try FileManager.default.removeItem(atPath: raw)
    }

    /// A file's sound as ffmpeg decodes it, at its own rate.
    package static func decode(_ path: String, sampleRate: Int, channels: Int) async throws -> Waveform {
        let directory = try TemporaryDirectory()
        let raw = directory.file("decoded.f32")
        try await FFmpegTool.ffmpeg([
            "-i", path, "-map", "0:a:0", "-f", "f32le", "-ar", "\(sampleRate)", "-ac", "\(channels)", raw,
        ])
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        let samples = data.withUnsafeBytes { bytes in bytes.bindMemory(to: Float.self).map(Double.init) }
        return Waveform(sampleRate: sampleRate, channels: channels, samples: samples)
    }
}

/// A level in decibels of full scale as an amplitude.
package func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

/// The greatest difference between two runs of samples; infinite if their lengths differ.
package func largestDifference(_ first: some Collection<Double>, _ second: some Collection<Double>) -> Double {
    guard first.count == second.count else { return .infinity }
    return zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
