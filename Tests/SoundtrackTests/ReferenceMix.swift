import ExactTime
import ExportPlan
import Vocabulary
import TestSupport
import Glibc

/// A reference mix: the sum of all inputs' samples times their gains in `Double`, for sources in the film's own rate
/// and channels.
struct ReferenceMix {
    let slice: AudioSlice
    /// The waves by the source names of the slice.
    let sources: [String: Waveform]

    func samples() -> [Double] {
        var mixed = [Double](repeating: 0, count: slice.sampleCount * slice.channels)
        for input in slice.inputs {
            for index in 0..<input.sampleCount {
                let place = input.firstSample + index
                guard place >= 0, place < slice.sampleCount else { continue }
                let time = Double(place) / Double(slice.sampleRate)
                let gain = input.gains.reduce(1) { $0 * ReferenceMix.gain($1, at: time) }
                let from = input.reversed ? input.sourceSample - index : input.sourceSample + index
                for channel in 0..<slice.channels {
                    mixed[place * slice.channels + channel] += gain * sample(input.source, from, channel)
                }
            }
        }
        return mixed
    }

    private func sample(_ source: String, _ index: Int, _ channel: Int) -> Double {
        guard let wave = sources[source], index >= 0, index < wave.count else { return 0 }
        return wave.samples[index * wave.channels + channel]
    }

    /// A curve's value: linear between its points, the end gain outside, and the later of two points at a step.
    static func gain(_ curve: GainCurve, at time: Double) -> Double {
        let points = curve.points.map { (time: $0.time.doubleValue, gain: $0.gain) }
        var line = points[0].gain
        for (from, to) in zip(points, points.dropFirst()) where time >= from.time && time < to.time {
            line = from.gain + (to.gain - from.gain) * (time - from.time) / (to.time - from.time)
        }
        if let last = points.last, time >= last.time { line = last.gain }
        return curve.shape == .qsin ? sin(line * .pi / 2) : line
    }
}
