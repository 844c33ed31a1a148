/// Limits the true peak of a sound, which includes the signal between samples. It looks ahead, lowers the gain before a
/// peak and raises it slowly after it.
///
/// Peaks are measured with the fourfold oversampling filter of ITU-R BS.1770-4, annex 2. The gain that a peak needs is
/// held for the look-ahead time and then averaged over the same time. So the gain at a peak is never higher than
/// needed, and it never jumps.
package final class TruePeakLimiter {
    /// The look-ahead time and the release time, in seconds.
    private static let lookahead = 0.005
    private static let release = 0.1
    /// A changing gain slightly alters the signal between samples, so the ceiling is lowered by this factor.
    private static let margin = 0.994
    /// The four phases of twelve taps. The first two are from the table; the other two are the same in reverse order.
    private static let phases: [[Float]] = {
        let first: [Float] = [
            0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125, -0.059_448_242_187_5, 0.137_329_101_562_5,
            0.972_167_968_75, -0.102_294_921_875, 0.047_607_421_875, -0.026_611_328_125, 0.014_892_578_125, -0.008_300_781_25,
        ]
        let second: [Float] = [
            -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125, -0.166_503_906_25, 0.465_087_890_625,
            0.779_785_156_25, -0.200_317_382_812_5, 0.101_562_5, -0.058_227_539_062_5, 0.033_081_054_687_5, -0.018_920_898_437_5,
        ]
        return [first, second, second.reversed(), first.reversed()]
    }()
    private static let taps = 12

    private let channels: Int
    private let ceiling: Double
    /// The look-ahead time, in samples.
    private let window: Int
    private let recovery: Double
    /// The input that was not returned yet, interleaved, and the number of its first sample.
    private var input: [Float] = []
    private var inputStart: Int
    /// The gain that each sample needs, as far as its neighbours are known. The first belongs to sample `neededStart`.
    private var needed: [Double] = []
    private var neededStart: Int
    /// The peak between the previous sample and the next one to be measured.
    private var peakBefore: Float = 0
    /// The held and released gains of the last `window` samples, and their sum.
    private var held: [Double]
    private var heldSum: Double
    private var released = 1.0
    private var nextOutput: Int

    /// - Parameter ceiling: the highest true peak; 1 is full scale.
    package init(ceiling: Double, sampleRate: Int, channels: Int) {
        self.ceiling = ceiling * TruePeakLimiter.margin
        self.channels = channels
        window = max(1, Int((TruePeakLimiter.lookahead * Double(sampleRate)).rounded()))
        recovery = 1 / (TruePeakLimiter.release * Double(sampleRate))
        held = [Double](repeating: 1, count: window)
        heldSum = Double(window)
        // The limiter starts with silence that is not returned. During it the gain falls for a sound that begins with a
        // peak.
        (nextOutput, neededStart) = (-window, -window)
        inputStart = -window - TruePeakLimiter.taps
        input = [Float](repeating: 0, count: (window + TruePeakLimiter.taps) * channels)
    }

    /// Adds samples and passes those whose gains are known to `emit`.
    /// - Parameter samples: interleaved.
    package func process(_ samples: UnsafeBufferPointer<Float>, _ emit: (UnsafeBufferPointer<Float>) throws -> Void) rethrows {
        input.append(contentsOf: samples)
        try drain(emit)
    }

    /// Passes the remaining samples to `emit`.
    package func finish(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) rethrows {
        let end = inputStart + input.count / channels
        let padding = window + 2 * TruePeakLimiter.taps
        input.append(contentsOf: repeatElement(0, count: padding * channels))
        try drain(emit, until: end)
    }

    private func drain(_ emit: (UnsafeBufferPointer<Float>) throws -> Void, until end: Int = .max) rethrows {
        measure()
        var output: [Float] = []
        while nextOutput < end, nextOutput + window <= neededStart + needed.count {
            let gain = nextGain()
            let place = (nextOutput - inputStart) * channels
            if nextOutput >= 0 { for channel in 0..<channels { output.append(input[place + channel] * Float(gain)) } }
            nextOutput += 1
        }
        forget()
        try output.withUnsafeBufferPointer { try emit($0) }
    }

    /// Computes the gain of each sample whose neighbours are known.
    private func measure() {
        let reach = TruePeakLimiter.taps / 2
        let known = inputStart + input.count / channels - reach
        let first = neededStart + needed.count
        guard first < known else { return }
        needed.reserveCapacity(needed.count + known - first)
        input.withUnsafeBufferPointer { input in
            for sample in first..<known {
                let behind = peak(input, from: sample - reach + 1 - inputStart)
                var highest = max(peakBefore, behind)
                peakBefore = behind
                for channel in 0..<channels { highest = max(highest, abs(input[(sample - inputStart) * channels + channel])) }
                needed.append(Double(highest) > ceiling ? ceiling / Double(highest) : 1)
            }
        }
    }

    /// The highest peak between the two middle samples of twelve.
    private func peak(_ input: UnsafeBufferPointer<Float>, from first: Int) -> Float {
        var peak: Float = 0
        for channel in 0..<channels {
            var loudest: Float = 0
            for tap in 0..<TruePeakLimiter.taps { loudest = max(loudest, abs(input[(first + tap) * channels + channel])) }
            // The absolute weights of no phase add up to more than 2.1.
            guard Double(loudest) * 2.1 > ceiling else { continue }
            for phase in TruePeakLimiter.phases {
                var sum: Float = 0
                for tap in 0..<TruePeakLimiter.taps {
                    sum += phase[TruePeakLimiter.taps - 1 - tap] * input[(first + tap) * channels + channel]
                }
                peak = max(peak, abs(sum))
            }
        }
        return peak
    }

    /// The gain of the next sample: the least gain needed in the window ahead, released slowly, and averaged over the
    /// same window.
    private func nextGain() -> Double {
        let first = nextOutput - neededStart
        let least = needed[first..<(first + window)].min() ?? 1
        released = min(least, released + (1 - released) * recovery)
        let slot = (nextOutput + window) % window
        heldSum += released - held[slot]
        held[slot] = released
        return min(1, heldSum / Double(window))
    }

    private func forget() {
        let gone = nextOutput - TruePeakLimiter.taps - inputStart
        guard gone > 65_536 else { return }
        input.removeFirst(gone * channels)
        inputStart += gone
        needed.removeFirst(nextOutput - neededStart)
        neededStart = nextOutput
    }
}
