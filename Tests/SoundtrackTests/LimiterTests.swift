import Soundtrack
import TestSupport
import Testing
import Glibc

/// The limiter keeps its ceiling, leaves quiet sound unchanged, and does not depend on the blocks of its input.
@Suite struct LimiterTests {
    private func limited(_ samples: [Float], ceiling: Double, channels: Int, blocks: [Int]) -> [Float] {
        let limiter = TruePeakLimiter(ceiling: ceiling, sampleRate: 44_100, channels: channels)
        var result: [Float] = []
        var start = 0
        var next = 0
        while start < samples.count {
            let count = min(blocks[next % blocks.count] * channels, samples.count - start)
            samples[start..<(start + count)].withUnsafeBufferPointer { limiter.process($0) { result += $0 } }
            start += count
            next += 1
        }
        limiter.finish { result += $0 }
        return result
    }

    /// The true peak by eightfold oversampling, with a windowed sinc over 64 neighbours on each side.
    private func truePeak(_ samples: [Float]) -> Double {
        var highest = 0.0
        for index in 64..<(samples.count - 64) where abs(samples[index]) > 0.3 {
            for eighth in 0..<8 {
                let place = Double(index) + Double(eighth) / 8
                let sum = (index - 63...index + 64).reduce(0.0) { sum, other in
                    let x = place - Double(other)
                    let window = 0.5 + 0.5 * cos(.pi * x / 65)
                    return sum + Double(samples[other]) * (x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * window
                }
                highest = max(highest, abs(sum))
            }
        }
        return highest
    }

    @Test("Noise, and a tone whose peaks lie between samples, stay below the ceiling within 0.1 dB", arguments: [0.5, 0.891])
    func ceiling(_ ceiling: Double) {
        var random = RandomNumbers(seed: 8)
        let white = (0..<30_002).map { _ in Float.random(in: -1...1, using: &random) }
        // The noise has no frequencies close to half the sample rate, which BS.1770's filter hardly measures.
        let noise = (0..<30_000).map { index -> Float in
            let level: Float = index / 3_000 % 2 == 0 ? 0.6 : 0.1
            let sum: Float = white[index] + 2 * white[index + 1] + white[index + 2]
            return sum * level
        }
        // The tone has a quarter of the sample rate and a phase of an eighth of a period, so its samples reach only
        // 0.707 of its peak.
        let between = (0..<30_000).map { Float(1.2 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        for (name, samples) in [("noise", noise), ("tone", between)] {
            let peak = truePeak(limited(samples, ceiling: ceiling, channels: 1, blocks: [4_096]))
            #expect(20 * log10(peak / ceiling) < 0.1, "\(name): \(peak) of \(ceiling)")
            #expect(20 * log10(peak / ceiling) > -1, "\(name): \(peak) of \(ceiling)")
        }
    }

    @Test("Quiet sound passes bit-exact, with the same position and length")
    func quiet() {
        let wave = Waveform.varied(sampleRate: 44_100, channels: 2, seconds: 1)
        let samples = wave.samples.map { Float($0) }
        #expect(limited(samples, ceiling: 0.9, channels: 2, blocks: [1_000]) == samples)
    }

    @Test("Blocks of any length give the same samples")
    func blocks() {
        let wave = Waveform.noise(sampleRate: 44_100, channels: 2, count: 200_000, level: 1, seed: 3)
        let samples = wave.samples.map { Float($0) }
        let whole = limited(samples, ceiling: 0.7, channels: 2, blocks: [200_000])
        #expect(whole.count == samples.count)
        #expect(limited(samples, ceiling: 0.7, channels: 2, blocks: [1, 977, 16_384, 3]) == whole)
    }
}
