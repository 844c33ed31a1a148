import ExportPlan
import Media

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Plays another voice at speeds that change, its pitch with them, as a tape does: every sample is read at its exact place between the
/// source's by a windowed sinc, which is as much wider as the source runs faster.
final class BentVoice: Voice {
    private let voice: any Voice
    private let legs: [AudioSliceInput.Leg]
    private let channels: Int
    private let sourceSampleCount: Int
    private let kernel = SincKernel()
    /// The leg that was read last, and where it begins.
    private var leg = (index: 0, sample: 0, source: 0)
    /// Source samples from number `first` on.
    private var samples: [Float] = []
    private var first = 0

    init(_ voice: any Voice, legs: [AudioSliceInput.Leg], channels: Int) {
        self.voice = voice
        self.legs = legs
        self.channels = channels
        sourceSampleCount = legs.reduce(0) { $0 + $1.sourceSampleCount }
    }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        for index in 0..<count {
            let (place, speed) = place(ofSample: from + index)
            let width = max(1, speed)
            let reach = Int((width * Double(SincKernel.zeroCrossings)).rounded(.up))
            let middle = Int(place.rounded(.down))
            try load(upTo: min(sourceSampleCount, middle + reach + 1), keeping: middle - reach)
            for channel in 0..<channels { output[index * channels + channel] = 0 }
            for source in max(first, middle - reach)..<max(first, min(sourceSampleCount, middle + reach + 1)) {
                let weight = Float(kernel.value(at: (Double(source) - place) / width) / width)
                for channel in 0..<channels {
                    output[index * channels + channel] += weight * samples[(source - first) * channels + channel]
                }
            }
        }
    }

    /// Where a sample lies in the source, and how fast the source runs there.
    private func place(ofSample sample: Int) -> (place: Double, speed: Double) {
        while leg.index + 1 < legs.count, sample >= leg.sample + legs[leg.index].sampleCount {
            leg = (leg.index + 1, leg.sample + legs[leg.index].sampleCount, leg.source + legs[leg.index].sourceSampleCount)
        }
        let current = legs[leg.index]
        let speed = Double(current.sourceSampleCount) / Double(max(1, current.sampleCount))
        return (Double(leg.source) + Double(sample - leg.sample) * speed, speed)
    }

    /// Reads on, and forgets what lies before `keeping`.
    private func load(upTo end: Int, keeping: Int) throws(MediaError) {
        let block = 16_384
        guard end > first + samples.count / channels else { return }
        let gone = min(max(0, keeping - first), samples.count / channels)
        samples.removeFirst(gone * channels)
        first += gone
        let known = first + samples.count / channels
        let count = min(max(end - known, block), sourceSampleCount - known)
        guard count > 0 else { return }
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: count * channels)
        defer { buffer.deallocate() }
        try voice.read(from: known, count: count, into: buffer)
        samples.append(contentsOf: UnsafeBufferPointer(start: buffer, count: count * channels))
    }
}

/// `sin(pi x) / (pi x)` under a Kaiser window whose stop band lies 90 dB down (Kaiser and Schafer 1980), from a table.
private struct SincKernel {
    /// On each side.
    static let zeroCrossings = 32
    private static let steps = 512
    private static let beta = 9.0

    private let table: [Double]

    init() {
        /// The modified Bessel function of the first kind and order 0, by its series.
        func bessel(_ x: Double) -> Double {
            var (sum, term) = (1.0, 1.0)
            for index in 1..<60 {
                term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
                sum += term
            }
            return sum
        }
        let count = SincKernel.zeroCrossings * SincKernel.steps
        table = (0...count + 1).map { index in
            let x = Double(index) / Double(SincKernel.steps)
            let share = min(1, x / Double(SincKernel.zeroCrossings))
            let window = bessel(SincKernel.beta * (1 - share * share).squareRoot()) / bessel(SincKernel.beta)
            return index > count ? 0 : window * (index == 0 ? 1 : sin(.pi * x) / (.pi * x))
        }
    }

    func value(at x: Double) -> Double {
        let place = abs(x) * Double(SincKernel.steps)
        let index = Int(place)
        guard index + 1 < table.count else { return 0 }
        return table[index] + (table[index + 1] - table[index]) * (place - Double(index))
    }
}
