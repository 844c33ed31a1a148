#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Interleaved samples in `Double`, for references and for measuring.
public struct Waveform: Sendable {
    public let sampleRate: Int
    public let channels: Int
    public var samples: [Double]

    public init(sampleRate: Int, channels: Int, samples: [Double]) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samples = samples
    }

    /// Samples per channel.
    public var count: Int { samples.count / channels }

    /// One channel alone.
    public func channel(_ index: Int) -> [Double] {
        stride(from: index, to: samples.count, by: channels).map { samples[$0] }
    }

    /// White noise, another one in each channel.
    public static func noise(
        sampleRate: Int, channels: Int, count: Int, level: Double = 0.25, seed: UInt64
    ) -> Waveform {
        var random = RandomNumbers(seed: seed)
        let samples = (0..<(count * channels)).map { _ in Double(Float(Double.random(in: -level...level, using: &random))) }
        return Waveform(sampleRate: sampleRate, channels: channels, samples: samples)
    }

    /// A function of time in seconds, the same in every channel.
    public static func of(
        sampleRate: Int, channels: Int, count: Int, _ value: (Double) -> Double
    ) -> Waveform {
        let samples = (0..<count).flatMap { index in
            [Double](repeating: Double(Float(value(Double(index) / Double(sampleRate)))), count: channels)
        }
        return Waveform(sampleRate: sampleRate, channels: channels, samples: samples)
    }

    /// A sound that changes all the time: three gliding tones and a beat, so that no place is like another.
    public static func varied(sampleRate: Int, channels: Int, seconds: Double) -> Waveform {
        of(sampleRate: sampleRate, channels: channels, count: Int(seconds * Double(sampleRate))) { time in
            let low = sin(2 * .pi * (110 + 40 * time) * time)
            let middle = sin(2 * .pi * (900 + 300 * sin(time)) * time)
            let high = sin(2 * .pi * (4000 - 150 * time) * time)
            return (0.2 * low + 0.1 * middle + 0.05 * high) * (0.6 + 0.4 * sin(2 * .pi * 1.7 * time))
        }
    }

    /// Writes the sound through ffmpeg.
    /// - Parameter options: the encoder and its settings; 32-bit float PCM for a WAV file when empty.
    public func write(to path: String, _ options: [String] = ["-c:a", "pcm_f32le"]) async throws {
        let raw = path + ".f32"
        try samples.map(Float.init).withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: raw)) }
        try await FFmpegTool.ffmpeg(
            ["-f", "f32le", "-ar", "\(sampleRate)", "-ac", "\(channels)", "-i", raw] + options + [path])
        try FileManager.default.removeItem(atPath: raw)
    }

    /// A file's sound as ffmpeg decodes it, at its own rate.
    public static func decode(_ path: String, sampleRate: Int, channels: Int) async throws -> Waveform {
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
public func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

/// The greatest distance of two runs of samples; infinite where their lengths differ.
public func largestDifference(_ first: some Collection<Double>, _ second: some Collection<Double>) -> Double {
    guard first.count == second.count else { return .infinity }
    return zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
