import ExactTime
import ExportPlan

/// The lengths of audio segments in seconds of film. They are longer than video segments, because mixing is cheap.
private let usualLength = 10
private let longestLength = 20

/// Cuts the mix into segments at whole samples: where main track clips start, and every 10 s between starts that are
/// more than 20 s apart.
///
/// Three kinds of input are never cut, because they give other samples if they start elsewhere. One is a time-stretched
/// input, with the neighbours that are time-stretched together with it. The second is an input with filters, which remember
/// what they have heard. The third is an input whose decoder depends on
/// where it starts. AAC is such a codec: it fills bands with noise from a running generator.
func planAudioSegments(
    _ composition: Composition, _ sounds: [AudioInput], encode: AudioEncodeSettings, facts: [String: SourceFacts]
) -> [AudioSegment] {
    let total = composition.duration.rounded(toRate: encode.sampleRate)
    let codecs = facts.values.byName.mapValues { $0.audio?.codec ?? "" }
    let inputs = sounds.map { input in
        SampledInput(
            input, sampleRate: encode.sampleRate,
            isDivisible: !input.isPlayedWhole && isSampleExactAfterSeek(codecs[input.source] ?? ""))
    }
    let clipStarts = composition.instructions.map { $0.timeRange.start.rounded(toRate: encode.sampleRate) }
    let cuts = soundCuts(total: total, clipStarts: clipStarts, inputs: inputs, sampleRate: encode.sampleRate)
    let byTime = RangeIndex(inputs.map { ($0.samples.lowerBound, $0.samples.upperBound) })
    let mainTrack = inputs.filter { $0.input.isMainTrack == true }
    let mainTrackByTime = RangeIndex(mainTrack.map { ($0.samples.lowerBound, $0.samples.upperBound) })
    return zip([0] + cuts, cuts + [total]).filter { $0 < $1 }.map { first, end in
        let heard = byTime.indices(from: first, to: end).compactMap {
            inputs[$0].sliced(first..<end, sampleRate: encode.sampleRate)
        }
        let slice = AudioSlice(
            sampleRate: encode.sampleRate, channels: encode.channels, sampleCount: end - first, inputs: heard,
            sideChain: sideChain(
                for: heard.compactMap(\.duck), first..<end, mainTrack, mainTrackByTime, sampleRate: encode.sampleRate))
        return AudioSegment(key: contentKey("audio", slice), firstSample: first, slice: slice)
    }
}

/// The main track around a segment, as far as it affects the ducking in the segment.
private func sideChain(
    for ducks: [SideChainGain], _ segment: Range<Int>, _ mainTrack: [SampledInput], _ byTime: RangeIndex<Int>, sampleRate: Int
) -> SideChain? {
    guard !ducks.isEmpty else { return nil }
    let before = ducks.map { ($0.hold + $0.release).rounded(toRate: sampleRate) }.max() ?? 0
    let after = ducks.map { $0.attack.rounded(toRate: sampleRate) }.max() ?? 0
    let block = SideChain.blockLength(sampleRate: sampleRate)
    let first = max(0, segment.lowerBound - before) / block * block
    let range = first..<(segment.upperBound + after)
    let chain = byTime.indices(from: range.lowerBound, to: range.upperBound).compactMap { index in
        mainTrack[index].sliced(range, isWhole: !mainTrack[index].isDivisible, sampleRate: sampleRate)
    }
    return SideChain(leadIn: segment.lowerBound - first, sampleCount: range.count, inputs: chain)
}

private func soundCuts(total: Int, clipStarts: [Int], inputs: [SampledInput], sampleRate: Int) -> [Int] {
    // The range excludes the input's first sample, because a cut at either edge is allowed.
    let whole = RangeIndex(inputs.filter { !$0.isDivisible }.map { ($0.stretched.lowerBound + 1, $0.stretched.upperBound) })
    func allowed(_ cut: Int) -> Bool { cut > 0 && cut < total && !whole.overlaps(from: cut, to: cut + 1) }
    let starts = Set(clipStarts.filter(allowed)).sorted()
    var cuts: [Int] = []
    for (first, end) in zip([0] + starts, starts + [total]) {
        if first > 0 { cuts.append(first) }
        guard end - first > longestLength * sampleRate else { continue }
        cuts += stride(
            from: first + usualLength * sampleRate, to: end - usualLength * sampleRate / 2, by: usualLength * sampleRate
        ).filter(allowed)
    }
    return cuts
}

/// Whether a decoder gives the same samples wherever it starts, after a short pre-roll.
private func isSampleExactAfterSeek(_ codec: String) -> Bool {
    codec.hasPrefix("pcm_") || ["flac", "alac", "wavpack", "mp3", "mp2", "vorbis", "opus"].contains(codec)
}

/// An audio input in whole output samples.
private struct SampledInput {
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
    /// - Parameter isWhole: whether to keep the whole input, because its decoder gives other samples if it starts
    ///   elsewhere.
    func sliced(_ segment: Range<Int>, isWhole: Bool = false, sampleRate: Int) -> AudioSliceInput? {
        let heard = input.isPlayedWhole || isWhole ? samples : samples.clamped(to: segment)
        guard !samples.clamped(to: segment).isEmpty else { return nil }
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
        // Only gains within the segment matter. An input that is played whole may extend beyond the segment.
        let seen = samples.clamped(to: segment)
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
            gains: input.gains.map { $0.trimmed(to: range, shiftedBy: -start) }.filter { $0 != .constant(1) },
            pan: input.pan.map { $0.trimmed(to: range, shiftedBy: -start) }.flatMap { $0 == .constant(1) ? nil : $0 },
            filters: input.filters, duck: input.duck)
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
    fileprivate var isPlayedWhole: Bool { needsStretching || speedRanges != nil || filters != nil }
}
