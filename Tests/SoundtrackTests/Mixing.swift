import ExactTime
import ExportPlan
import Media
import Soundtrack
import TestSupport

/// The samples of a slice as `SegmentMixer` mixes it.
func mixed(_ slice: AudioSlice, _ sources: [String: SourceReference]) throws -> [Double] {
    var samples: [Double] = []
    try SegmentMixer(slice, sources: sources).mix { block in samples.append(contentsOf: block.lazy.map(Double.init)) }
    return samples
}

/// Probes a file.
func reference(_ path: String) throws -> SourceReference {
    SourceReference(facts: try Probe.facts(ofFile: path), path: path)
}

extension AudioSliceInput {
    /// An input, by default without time-stretching.
    static func playing(
        _ source: String, at firstSample: Int = 0, count: Int, from sourceSample: Int = 0, rate: Rational = .one,
        reversed: Bool = false, timeStretch: TimeStretch? = nil, gains: [GainCurve] = []
    ) -> AudioSliceInput {
        AudioSliceInput(
            source: source, firstSample: firstSample, sampleCount: count, playbackRate: rate, sourceSample: sourceSample,
            reversed: reversed, timeStretch: timeStretch, gains: gains)
    }
}

extension AudioSlice {
    /// A slice with one input.
    static func of(
        _ input: AudioSliceInput, sampleRate: Int = 44_100, channels: Int = 2, count: Int? = nil
    ) -> AudioSlice {
        AudioSlice(
            sampleRate: sampleRate, channels: channels, sampleCount: count ?? input.firstSample + input.sampleCount,
            inputs: [input])
    }

    /// The slice of a segment of this slice: inputs cut to the segment's samples, which count from 0.
    func segment(_ range: Range<Int>) -> AudioSlice {
        let times = TimeRange(
            from: MediaTime(index: range.lowerBound, rate: sampleRate), to: MediaTime(index: range.upperBound, rate: sampleRate))
        let heard = inputs.compactMap { input -> AudioSliceInput? in
            let samples = (input.firstSample..<(input.firstSample + input.sampleCount)).clamped(to: range)
            guard !samples.isEmpty else { return nil }
            let skipped = samples.lowerBound - input.firstSample
            var cut = input
            cut.firstSample = samples.lowerBound - range.lowerBound
            cut.sampleCount = samples.count
            cut.sourceSample += input.reversed ? -skipped : skipped
            cut.gains = input.gains.map { $0.trimmed(to: times, shiftedBy: -times.start) }
            cut.pan = input.pan?.trimmed(to: times, shiftedBy: -times.start)
            return cut
        }
        return AudioSlice(sampleRate: sampleRate, channels: channels, sampleCount: range.count, inputs: heard)
    }
}
