import Glibc

/// Measures sound: the amplitude of a frequency, the strongest frequency, and the delay between two sounds.
package enum Measuring {
    /// The amplitude of a frequency in a run of samples, with a Hann window.
    package static func strength(of frequency: Double, in samples: some Collection<Double>, sampleRate: Int) -> Double {
        let count = Double(samples.count)
        let step = 2 * .pi * frequency / Double(sampleRate)
        // Both waves are computed by rotation from sample to sample, because a sine for each sample would take ten
        // times as long.
        var (wave, window) = (Turning(angle: step), Turning(angle: 2 * .pi / count))
        var (real, imaginary) = (0.0, 0.0)
        for sample in samples {
            let weighted = sample * (0.5 - 0.5 * window.cosine)
            real += weighted * wave.cosine
            imaginary += weighted * wave.sine
            wave.advance()
            window.advance()
        }
        return (real * real + imaginary * imaginary).squareRoot() * 4 / count
    }

    /// The strongest frequency within a range, to 0.1 Hz.
    package static func pitch(
        of samples: some Collection<Double>, sampleRate: Int, in range: ClosedRange<Double> = 100...2000
    ) -> Double {
        func strongest(_ samples: [Double], _ range: ClosedRange<Double>, by step: Double) -> Double {
            stride(from: range.lowerBound, through: range.upperBound, by: step)
                .map { ($0, strength(of: $0, in: samples, sampleRate: sampleRate)) }
                .max { $0.1 < $1.1 }?.0 ?? 0
        }
        // The main lobe of the window is four times as wide as a step, so no step can miss it.
        let short = Array(samples.prefix(8192))
        let width = Double(sampleRate) / Double(short.count)
        let coarse = strongest(short, range, by: width)
        let whole = Array(samples)
        let bin = Double(sampleRate) / Double(whole.count)
        let closer = strongest(whole, (coarse - width)...(coarse + width), by: bin)
        return strongest(whole, (closer - 1.5)...(closer + 1.5), by: 0.1)
    }

    /// The delay of `second` behind `first` in samples: the position of the highest cross-correlation.
    /// - Parameter length: the number of samples of `first` that are compared, from its middle.
    package static func delay(of second: [Double], behind first: [Double], within limit: Int, length: Int = 8192) -> Int {
        let start = (first.count - length) / 2
        func correlation(_ shift: Int) -> Double {
            let indexes = max(start, -shift)..<min(start + length, second.count - shift)
            return indexes.reduce(0) { $0 + first[$1] * second[$1 + shift] }
        }
        return (-limit...limit).map { ($0, correlation($0)) }.max { $0.1 < $1.1 }?.0 ?? 0
    }
}

/// The sine and cosine of the multiples of an angle.
private struct Turning {
    private let step: (cosine: Double, sine: Double)
    var cosine = 1.0
    var sine = 0.0

    init(angle: Double) {
        step = (cos(angle), sin(angle))
    }

    mutating func advance() {
        (cosine, sine) = (cosine * step.cosine - sine * step.sine, sine * step.cosine + cosine * step.sine)
    }
}
