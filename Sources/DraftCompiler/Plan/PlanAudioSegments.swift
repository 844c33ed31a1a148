import ExactTime
import ExportPlan

/// The lengths of audio segments in seconds of film. They are longer than video segments, because mixing is cheap.
private let shortestLength = 4
private let usualLength = 10
private let longestLength = 20
/// The length of the first segment of what must not be cut and is longer.
private let wholeLength = 60

/// Cuts the mix into segments at whole samples: where main track clips start, and every 10 s between cuts that are more
/// than 20 s apart. Short clips share a segment, because a job costs more than mixing a second of sound.
///
/// Three kinds of input are not cut, because they give other samples if they start elsewhere. One is a time-stretched
/// input, with the neighbours that are time-stretched together with it. The second is an input or a group with filters,
/// which remember what they have heard. The third is an input whose decoder depends on where it starts. AAC is such a
/// codec: it fills bands with noise from a running generator. If inputs of the third kind would make a segment longer than
/// a minute and a half, it is cut all the same, and each part plays them from their start (`AudioSliceInput.fromStart`).
/// The parts double in length, so that the decoding is at most doubled.
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
    let mainTrack = inputs.filter { $0.input.isMainTrack == true }
    let marks = Set(mainTrack.filter(\.isMark).map(\.samples.lowerBound))
    let cuts = soundCuts(
        total: total, clipStarts: clipStarts, marks: marks, whole: mix.wholeRanges, filtered: mix.filteredRanges,
        sampleRate: encode.sampleRate)
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

/// The most segments that `planAudioSegments` can make: the shortest ones where main track clips start, and the usual ones
/// between them.
func mostAudioSegments(_ composition: Composition) -> Int {
    func count(_ length: Int) -> Int { (composition.duration / MediaTime(seconds: length)).rounded + 1 }
    return min(composition.instructions.count, count(shortestLength) + count(longestLength)) + count(usualLength) + 2
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
        mainTrack[index].continued(in: range, sampleRate: sampleRate)
    }
    return SideChain(leadIn: segment.lowerBound - first, sampleCount: range.count, inputs: chain)
}

/// - Parameters:
///   - marks: the starts of sounds that are marks (`SampledInput.isMark`).
///   - ranges: the samples of what must not be cut.
///   - filtered: those among them of what takes long to be played from its start.
private func soundCuts(
    total: Int, clipStarts: [Int], marks: Set<Int>, whole ranges: [Range<Int>], filtered: [Range<Int>], sampleRate: Int
) -> [Int] {
    // A range is taken without its first sample, because a cut at either edge is allowed.
    let whole = RangeIndex(ranges.map { ($0.lowerBound + 1, $0.upperBound) })
    func allowed(_ cut: Int) -> Bool { cut > 0 && cut < total && !whole.overlaps(from: cut, to: cut + 1) }
    let starts = Set(clipStarts.filter(allowed)).sorted()
    var cuts: [Int] = []
    var last = 0
    for (start, next) in zip(starts, starts.dropFirst() + [total]) {
        // The cuts inside a long clip are counted from its start, so it begins a segment.
        let isLong = next - start > longestLength * sampleRate
        let needed = isLong ? 0 : marks.contains(start) ? shortestLength : usualLength
        guard start - last >= needed * sampleRate else { continue }
        cuts += insideCuts(last..<start, sampleRate).filter(allowed) + [start]
        last = start
    }
    cuts += insideCuts(last..<total, sampleRate).filter(allowed)
    let never = RangeIndex(filtered.map { ($0.lowerBound + 1, $0.upperBound) })
    return zip([0] + cuts, cuts + [total]).flatMap { first, end in
        wholeCuts(first..<end, sampleRate).filter { !never.overlaps(from: $0, to: $0 + 1) } + (end < total ? [end] : [])
    }
}

/// The cuts inside a range in which something must not be cut: after a minute, two, four and so on.
private func wholeCuts(_ range: Range<Int>, _ sampleRate: Int) -> [Int] {
    var cuts: [Int] = []
    var length = wholeLength * sampleRate
    while range.count - length >= wholeLength * sampleRate / 2 {
        cuts.append(range.lowerBound + length)
        length *= 2
    }
    return cuts
}

/// The cuts inside a range without starts of clips at which to cut.
private func insideCuts(_ range: Range<Int>, _ sampleRate: Int) -> [Int] {
    guard range.count > longestLength * sampleRate else { return [] }
    return Array(
        stride(
            from: range.lowerBound + usualLength * sampleRate, to: range.upperBound - usualLength * sampleRate / 2,
            by: usualLength * sampleRate))
}

extension SampledInput {
    /// Whether a segment that is long enough is cut where the input starts, which holds for about half of all inputs. It
    /// depends on what is heard and not on when, so a clip that is inserted changes the cuts around it alone.
    fileprivate var isMark: Bool {
        // FNV-1a by Fowler, Noll and Vo. Its lowest bit would be the parity of the bytes.
        let hash = "\(input.source) \(input.sourceRange.start)".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return hash >> 40 & 1 == 0
    }
}

/// Whether a decoder gives the same samples wherever it starts, after a short pre-roll.
private func isSampleExactAfterSeek(_ codec: String) -> Bool {
    codec.hasPrefix("pcm_") || ["flac", "alac", "wavpack", "mp3", "mp2", "vorbis", "opus"].contains(codec)
}
