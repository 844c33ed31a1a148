import ExactTime
import ExportPlan

/// An audio input in whole output samples.
struct SampledInput {
    let input: AudioInput
    /// The samples on the timeline.
    let samples: Range<Int>
    /// The samples including the neighbours that are time-stretched together with it.
    let stretched: Range<Int>
    /// Whether segments may be cut inside it.
    let isDivisible: Bool

    init(_ input: AudioInput, sampleRate: Int, isDivisible: Bool) {
        self.input = input
        self.isDivisible = isDivisible
        func samples(_ range: TimeRange) -> Range<Int> {
            let start = range.start.rounded(toRate: sampleRate)
            return start..<max(start, range.end.rounded(toRate: sampleRate))
        }
        self.samples = samples(input.timeRange)
        stretched = input.run.map { samples($0.timeRange) } ?? self.samples
    }

    /// The input as a segment plays it. It is cut to the segment, so that equal slices get equal keys. A time-stretched
    /// input stays whole.
    /// - Parameters:
    ///   - needed: the samples that are needed, where those are more than the segment's, as in a group with filters.
    ///   - isWhole: whether to keep the whole input, because its decoder gives other samples if it starts
    ///     elsewhere.
    func sliced(
        _ segment: Range<Int>, needed: Range<Int>? = nil, isWhole: Bool = false, sampleRate: Int
    ) -> AudioSliceInput? {
        let seen = samples.clamped(to: needed ?? segment)
        guard !seen.isEmpty else { return nil }
        let heard = input.isPlayedWhole || isWhole ? samples : seen
        // A pitch-keeping time stretcher and a varispeed curve read the source at its own speed. Otherwise the
        // resampler plays it faster or slower.
        let playbackRate = input.speedRanges != nil || input.needsStretching && input.keepsPitch ? Rational.one : input.speed
        let sourceRange = input.run?.sourceRange ?? input.sourceRange
        let sourceStart = (sourceRange.start / playbackRate).rounded(toRate: sampleRate)
        let sourceEnd = (sourceRange.end / playbackRate).rounded(toRate: sampleRate)
        let skipped = heard.lowerBound - samples.lowerBound
        let sourceCount = sourceEnd - sourceStart
        let speedRanges = input.speedRanges.map { sampled($0, sourceCount: sourceCount, sampleRate: sampleRate) }
        let varispeed = input.keepsPitch ? nil : speedRanges
        let window = input.run.map { _ in
            AudioSliceInput.Window(
                firstSample: samples.lowerBound - stretched.lowerBound, stretchedSampleCount: stretched.count)
        }
        let start = MediaTime(index: segment.lowerBound, rate: sampleRate)
        // Only gains of what is seen matter. An input that is played whole may extend beyond that.
        let range = TimeRange(
            from: MediaTime(index: seen.lowerBound, rate: sampleRate), to: MediaTime(index: seen.upperBound, rate: sampleRate))
        return AudioSliceInput(
            source: input.source, firstSample: heard.lowerBound - segment.lowerBound, sampleCount: heard.count,
            playbackRate: playbackRate, sourceSample: input.reversed ? sourceEnd - 1 - skipped : sourceStart + skipped,
            reversed: input.reversed, varispeed: varispeed,
            timeStretch: input.needsStretching
                ? .init(
                    sourceSampleCount: varispeed == nil ? sourceCount : samples.count, pitch: input.pitch,
                    speedRanges: input.keepsPitch ? speedRanges : nil, window: window) : nil,
            gains: input.gains.trimmed(to: range, shiftedBy: -start), pan: input.pan?.trimmedPan(to: range, shiftedBy: -start),
            filters: input.filters, duck: input.duck)
    }

    /// The input as a segment plays it. Where it began before the segment and its decoder depends on where it starts, it is
    /// read from its start.
    func continued(in segment: Range<Int>, sampleRate: Int) -> AudioSliceInput? {
        guard !isDivisible, !input.isPlayedWhole, samples.lowerBound < segment.lowerBound else {
            return sliced(segment, sampleRate: sampleRate)
        }
        var whole = sliced(segment, isWhole: true, sampleRate: sampleRate)
        whole?.fromStart = true
        return whole
    }

    /// The sections in whole samples. Each edge is rounded by itself, so that rounding errors do not add up.
    private func sampled(_ speedRanges: [AudioInput.SpeedRange], sourceCount: Int, sampleRate: Int) -> [AudioSliceInput
        .SpeedRange]
    {
        var (time, source) = (input.timeRange.start, MediaTime.zero)
        var (sample, sourceSample) = (samples.lowerBound, 0)
        return speedRanges.enumerated().map { index, speedRange in
            time += speedRange.duration
            source += speedRange.sourceDuration
            let isLast = index == speedRanges.count - 1
            let end = isLast ? samples.upperBound : min(time.rounded(toRate: sampleRate), samples.upperBound)
            let sourceEnd = isLast ? sourceCount : min(source.rounded(toRate: sampleRate), sourceCount)
            defer { (sample, sourceSample) = (end, sourceEnd) }
            return AudioSliceInput.SpeedRange(sampleCount: end - sample, sourceSampleCount: sourceEnd - sourceSample)
        }
    }
}

extension AudioInput {
    /// Whether the input must be played from its beginning.
    var isPlayedWhole: Bool { needsStretching || speedRanges != nil || filters != nil }
}

extension [GainCurve] {
    /// The curves within a range, moved by `offset`, without those that change nothing there.
    func trimmed(to range: TimeRange, shiftedBy offset: MediaTime) -> [GainCurve] {
        map { $0.trimmed(to: range, shiftedBy: offset) }.filter { $0 != .constant(1) }
    }
}

extension GainCurve {
    /// The curve of a pan within a range, moved by `offset`; nil where the sound stands in the middle there.
    func trimmedPan(to range: TimeRange, shiftedBy offset: MediaTime) -> GainCurve? {
        let curve = trimmed(to: range, shiftedBy: offset)
        return curve == .constant(1) ? nil : curve
    }
}
