#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Measuring sound: how strong a frequency is, where the strongest lies, how far two sounds are apart.
public enum Measuring {
    /// The amplitude of a frequency in a run of samples, under a Hann window.
    public static func strength(of frequency: Double, in samples: some Collection<Double>, sampleRate: Int) -> Double {
        let count = Double(samples.count)
        let step = 2 * .pi * frequency / Double(sampleRate)
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / count)
            real += sample * window * cos(step * Double(index))
            imaginary += sample * window * sin(step * Double(index))
        }
        return (real * real + imaginary * imaginary).squareRoot() * 4 / count
    }

    /// The strongest frequency within a range, to 0.1 Hz.
    public static func pitch(
        of samples: some Collection<Double>, sampleRate: Int, in range: ClosedRange<Double> = 100...2000
    ) -> Double {
        func strongest(_ range: ClosedRange<Double>, by step: Double) -> Double {
            stride(from: range.lowerBound, through: range.upperBound, by: step)
                .map { ($0, strength(of: $0, in: samples, sampleRate: sampleRate)) }
                .max { $0.1 < $1.1 }?.0 ?? 0
        }
        // The window's main lobe is 4 / length wide: a coarse step of one over the length cannot miss it.
        let coarse = strongest(range, by: Double(sampleRate) / Double(samples.count))
        let width = Double(sampleRate) / Double(samples.count)
        return strongest((coarse - width)...(coarse + width), by: 0.1)
    }

    /// By how many samples `second` comes later than `first`: the place of the highest cross-correlation.
    public static func delay(of second: [Double], behind first: [Double], within limit: Int) -> Int {
        func correlation(_ shift: Int) -> Double {
            var sum = 0.0
            for index in max(0, -shift)..<min(first.count, second.count - shift) { sum += first[index] * second[index + shift] }
            return sum
        }
        return (-limit...limit).max { correlation($0) < correlation($1) } ?? 0
    }
}
