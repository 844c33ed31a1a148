import ExportPlan
import Media
import Glibc

/// Plays another voice at changing speeds, which change its pitch (varispeed). Each output sample is interpolated at
/// its exact position in the source by a windowed sinc, which is widened by the speed if the source plays faster.
final class VarispeedVoice: Voice {
    private let voice: any Voice
    private let speedRanges: [AudioSliceInput.SpeedRange]
    private let channels: Int
    private let sourceSampleCount: Int
    private let kernel = SincKernel()
    /// The section of constant speed that was read last, and its first sample in the output and in the source.
    private var range = (index: 0, sample: 0, source: 0)
    /// Source samples, the first of which has the number `first`.
    private var samples: [Float] = []
    private var first = 0

    init(_ voice: any Voice, speedRanges: [AudioSliceInput.SpeedRange], channels: Int) {
        self.voice = voice
        self.speedRanges = speedRanges
        self.channels = channels
        sourceSampleCount = speedRanges.reduce(0) { $0 + $1.sourceSampleCount }
    }

    var decisions: [Explanation.Decision] { voice.decisions + [.varispeed(ranges: speedRanges)] }

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

    /// The source position of an output sample, in source samples, and the speed there.
    private func place(ofSample sample: Int) -> (place: Double, speed: Double) {
        while range.index + 1 < speedRanges.count, sample >= range.sample + speedRanges[range.index].sampleCount {
            range = (
                range.index + 1, range.sample + speedRanges[range.index].sampleCount,
                range.source + speedRanges[range.index].sourceSampleCount
            )
        }
        let current = speedRanges[range.index]
        let speed = Double(current.sourceSampleCount) / Double(max(1, current.sampleCount))
        return (Double(range.source) + Double(sample - range.sample) * speed, speed)
    }

    /// Reads source samples up to `end`, and drops those before `keeping`.
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

/// A table of `sin(pi x) / (pi x)` with a Kaiser window whose stop band is 90 dB down (Kaiser and Schafer 1980).
private struct SincKernel {
    /// The number of zero crossings on each side.
    static let zeroCrossings = 32
    private static let steps = 512
    private static let beta = 9.0

    private let table: [Double]

    init() {
        /// The modified Bessel function of the first kind and order 0, by its power series.
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
