import ExactTime
import ExportPlan

/// How long a sound segment is, in seconds of film: mixing is cheap, so longer than a picture's.
private let usualLength = 10
private let longestLength = 20

/// Cuts the mix into segments at sample numbers: where main clips start, and inside long stretches every 10 s.
///
/// A time stretcher gives other samples when it starts elsewhere, and so does an AAC decoder, which fills bands with noise
/// from a generator that runs on: no cut falls inside such an input.
func planAudioSegments(
    _ composition: Composition, encode: AudioEncodeSettings, facts: [String: SourceFacts]
) -> [AudioSegment] {
    let total = composition.duration.rounded(toRate: encode.sampleRate)
    let codecs = Dictionary(
        facts.values.map { ($0.contentHash, $0.audio?.codec ?? "") }, uniquingKeysWith: { first, _ in first })
    let inputs = composition.audioInputs.map { input in
        SampledInput(
            input, sampleRate: encode.sampleRate,
            isDivisible: !input.needsStretching && decodesAlikeFromAnywhere(codecs[input.source] ?? ""))
    }
    let clipStarts = composition.instructions.map { $0.timeRange.start.rounded(toRate: encode.sampleRate) }
    let cuts = soundCuts(total: total, clipStarts: clipStarts, inputs: inputs, sampleRate: encode.sampleRate)
    return zip([0] + cuts, cuts + [total]).filter { $0 < $1 }.map { first, end in
        let slice = AudioSlice(
            sampleRate: encode.sampleRate, channels: encode.channels, sampleCount: end - first,
            inputs: inputs.compactMap { $0.sliced(first..<end, sampleRate: encode.sampleRate) })
        return AudioSegment(key: contentKey("audio", slice), firstSample: first, slice: slice)
    }
}

private func soundCuts(total: Int, clipStarts: [Int], inputs: [SampledInput], sampleRate: Int) -> [Int] {
    let whole = inputs.filter { !$0.isDivisible }.map(\.samples)
    func allowed(_ cut: Int) -> Bool {
        cut > 0 && cut < total && !whole.contains { $0.lowerBound < cut && cut < $0.upperBound }
    }
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

/// Whether a decoder gives the same samples wherever it starts, after a short run-in.
private func decodesAlikeFromAnywhere(_ codec: String) -> Bool {
    codec.hasPrefix("pcm_") || ["flac", "alac", "wavpack", "mp3", "mp2", "vorbis", "opus"].contains(codec)
}

/// An audio input in whole output samples.
private struct SampledInput {
    let input: AudioInput
    /// On the timeline.
    let samples: Range<Int>
    /// Whether segments may be cut inside it.
    let isDivisible: Bool

    init(_ input: AudioInput, sampleRate: Int, isDivisible: Bool) {
        self.input = input
        self.isDivisible = isDivisible
        let start = input.timeRange.start.rounded(toRate: sampleRate)
        samples = start..<max(start, input.timeRange.end.rounded(toRate: sampleRate))
    }

    /// What a segment hears of it: only what it hears, so that equal stretches get equal keys. A stretched input stays
    /// whole.
    func sliced(_ segment: Range<Int>, sampleRate: Int) -> AudioSliceInput? {
        let heard = input.needsStretching ? samples : samples.clamped(to: segment)
        guard !samples.clamped(to: segment).isEmpty else { return nil }
        // The pitch-keeping stretcher reads the source at its own speed; else resampling plays it faster or slower.
        let playbackRate = input.needsStretching && input.keepsPitch ? Rational.one : input.speed
        let sourceStart = (input.sourceRange.start / playbackRate).rounded(toRate: sampleRate)
        let sourceEnd = (input.sourceRange.end / playbackRate).rounded(toRate: sampleRate)
        let skipped = heard.lowerBound - samples.lowerBound
        let range = TimeRange(
            from: MediaTime(index: segment.lowerBound, rate: sampleRate),
            to: MediaTime(index: segment.upperBound, rate: sampleRate))
        return AudioSliceInput(
            source: input.source, firstSample: heard.lowerBound - segment.lowerBound, sampleCount: heard.count,
            playbackRate: playbackRate, sourceSample: input.reversed ? sourceEnd - 1 - skipped : sourceStart + skipped,
            reversed: input.reversed,
            stretch: input.needsStretching ? .init(sourceSampleCount: sourceEnd - sourceStart, pitch: input.pitch) : nil,
            gains: input.gains.map { $0.trimmed(to: range, shiftedBy: -range.start) }.filter { $0 != .constant(1) })
    }
}
