import ExactTime
import ExportPlan

/// The lengths of audio segments in seconds of film. They are longer than video segments, because mixing is cheap.
private let usualLength = 10
private let longestLength = 20

/// Cuts the mix into segments at whole samples: where main track clips start, and every 10 s between starts that are
/// more than 20 s apart.
///
/// Three kinds of input are never cut, because they give other samples if they start elsewhere. One is a time-stretched
/// input, with the neighbours that are time-stretched together with it. The second is an input or a group with filters,
/// which remember what they have heard. The third is an input whose decoder depends on
/// where it starts. AAC is such a codec: it fills bands with noise from a running generator.
func planAudioSegments(
    _ composition: Composition, _ sounds: [AudioInput], _ groups: [SoundGroup]?, encode: AudioEncodeSettings,
    facts: [String: SourceFacts]
) -> [AudioSegment] {
    let total = composition.duration.rounded(toRate: encode.sampleRate)
    let codecs = facts.values.byName.mapValues { $0.audio?.codec ?? "" }
    let inputs = sounds.map { input in
        SampledInput(
            input, sampleRate: encode.sampleRate,
            isDivisible: !input.isPlayedWhole && isSampleExactAfterSeek(codecs[input.source] ?? ""))
    }
    let clipStarts = composition.instructions.map { $0.timeRange.start.rounded(toRate: encode.sampleRate) }
    let mix = SampledMix(inputs, groups ?? [], sampleRate: encode.sampleRate)
    let cuts = soundCuts(total: total, clipStarts: clipStarts, whole: mix.wholeRanges, sampleRate: encode.sampleRate)
    let mainTrack = inputs.filter { $0.input.isMainTrack == true }
    let mainTrackByTime = RangeIndex(mainTrack.map { ($0.samples.lowerBound, $0.samples.upperBound) })
    return zip([0] + cuts, cuts + [total]).filter { $0 < $1 }.map { first, end in
        let (heard, groups) = mix.sliced(first..<end)
        let slice = AudioSlice(
            sampleRate: encode.sampleRate, channels: encode.channels, sampleCount: end - first, inputs: heard, groups: groups,
            sideChain: sideChain(
                for: heard.compactMap(\.duck), first..<end, mainTrack, mainTrackByTime, sampleRate: encode.sampleRate))
        return AudioSegment(key: contentKey("audio", slice), firstSample: first, slice: slice)
    }
}

/// The most segments that `planAudioSegments` can make: one for each start of a main track clip, and the whole lengths
/// between them.
func mostAudioSegments(_ composition: Composition) -> Int {
    composition.instructions.count + (composition.duration / MediaTime(seconds: usualLength)).rounded + 2
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

/// - Parameter ranges: the samples of what must not be cut.
private func soundCuts(total: Int, clipStarts: [Int], whole ranges: [Range<Int>], sampleRate: Int) -> [Int] {
    // A range is taken without its first sample, because a cut at either edge is allowed.
    let whole = RangeIndex(ranges.map { ($0.lowerBound + 1, $0.upperBound) })
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
