import ExactTime
import ExportPlan
import Media

/// Detects when the side chain is above the threshold, as far as gains are requested, and lowers the gains of other
/// inputs then (ducking).
final class SideChainDucker {
    private let chain: SideChain
    private let sampleRate: Int
    private let channels: Int
    private let block: Int
    private let tracks: [Track]
    /// The root mean square of each block, linear.
    private var levels: [Double] = []

    init(_ chain: SideChain, _ tracks: [Track], sampleRate: Int, channels: Int) {
        self.chain = chain
        self.tracks = tracks
        self.sampleRate = sampleRate
        self.channels = channels
        block = SideChain.blockLength(sampleRate: sampleRate)
    }

    /// Multiplies gains, the first of which belongs to segment sample `from`, by the ducking gain.
    func multiply(_ gains: inout [Float], from: Int, by duck: SideChainGain) throws(MediaError) {
        let (attack, hold, release) = (samples(duck.attack), samples(duck.hold), samples(duck.release))
        let first = from + chain.leadIn
        try detect(until: first + gains.count + attack)
        let threshold = Decibels.amplitude(duck.threshold)
        var (known, before, after) = (-1, Int?.none, Int?.none)
        for index in gains.indices {
            let place = first + index
            let current = place / block
            if current != known {
                known = current
                before = (max(0, current - (hold + release) / block - 1)...current).last { level($0) > threshold }
                after = (current...(current + attack / block + 1)).first { level($0) > threshold }
            }
            // The share of the ducking that is reached: 0 is none, 1 is all.
            var depth = 0.0
            if let before {
                let passed = place - (before + 1) * block + 1
                depth = passed <= hold ? 1 : max(0, 1 - Double(passed - hold) / Double(max(1, release)))
            }
            if let after, depth < 1 {
                let missing = after * block - place
                depth = max(depth, missing <= 0 ? 1 : max(0, 1 - Double(missing) / Double(max(1, attack))))
            }
            gains[index] *= Float(1 - depth * (1 - duck.gain))
        }
    }

    private func samples(_ time: MediaTime) -> Int { time.rounded(toRate: sampleRate) }

    private func level(_ index: Int) -> Double { index < levels.count ? levels[index] : 0 }

    /// Mixes and measures the side chain up to its sample `end`.
    private func detect(until end: Int) throws(MediaError) {
        let wanted = min(end, chain.sampleCount)
        var samples = [Float](repeating: 0, count: block * channels)
        while levels.count * block < wanted {
            samples.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
            for track in tracks { try track.add(to: &samples, from: levels.count * block, count: block) }
            let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
            levels.append((power / Double(samples.count)).squareRoot())
        }
    }
}
