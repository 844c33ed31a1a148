import ExportPlan
import Glibc

/// Moves a sound between left and right, by the formulas of the Web Audio API's `StereoPannerNode` for a stereo input: the
/// side that the sound moves to keeps its own samples and gets those of the other side, with equal power.
struct StereoPan {
    private let curve: GainEvaluator
    /// The left and right channels that belong together.
    private let pairs: [(left: Int, right: Int)]

    /// - Parameters:
    ///   - curve: from 0 (left) over 1 (middle) to 2 (right).
    ///   - channels: 1, 2, or 6 for 5.1, whose front and surround channels move and whose others stay.
    init(_ curve: GainCurve, sampleRate: Int, channels: Int) {
        self.curve = GainEvaluator([curve], sampleRate: sampleRate)
        pairs = channels == 6 ? [(0, 1), (4, 5)] : channels == 2 ? [(0, 1)] : []
    }

    /// Moves interleaved samples, the first of which belongs to segment sample `from`.
    func apply(to samples: UnsafeMutableBufferPointer<Float>, from: Int, count: Int, channels: Int) {
        guard !pairs.isEmpty else { return }
        var places: [Float] = []
        curve.evaluate(from: from, count: count, into: &places)
        var known: (place: Float, gains: (left: Float, right: Float)) = (1, (1, 0))
        for index in 0..<count {
            let place = min(places[index], 2)
            if place != known.place || index == 0 { known = (place, StereoPan.gains(of: Double(place) - 1)) }
            for pair in pairs {
                let (left, right) = (samples[index * channels + pair.left], samples[index * channels + pair.right])
                if place <= 1 {
                    samples[index * channels + pair.left] = left + right * known.gains.left
                    samples[index * channels + pair.right] = right * known.gains.right
                } else {
                    samples[index * channels + pair.left] = left * known.gains.left
                    samples[index * channels + pair.right] = right + left * known.gains.right
                }
            }
        }
    }

    /// The gains of the side that the sound moves away from, in the left and in the right channel.
    /// - Parameter pan: -1 (left) ... 1 (right).
    private static func gains(of pan: Double) -> (left: Float, right: Float) {
        let angle = (pan <= 0 ? pan + 1 : pan) * Double.pi / 2
        return (Float(cos(angle)), Float(sin(angle)))
    }
}
