import ExactTime
import ExportPlan

/// How long a picture segment is, in seconds of film.
private enum SegmentLength {
    static let shortest = Rational(4)
    static let usual = Rational(5)
    static let longest = Rational(10)
    /// A clip's first or last piece may be this short before it joins its neighbour.
    static let edge = Rational(2)
}

/// Cuts a composition's frames into segments: at every instruction's edge, and inside those of more than 6 s every 4 to 10 s, so that
/// a film of one clip keeps more than one slot at work.
///
/// Cuts inside a clip hang on its source, not on the timeline or on the clip's own edges: trim the clip or move it, and
/// its inner segments keep their keys.
func planVideoSegments(
    _ composition: Composition, encode: VideoEncodeSettings, facts: [String: SourceFacts]
) -> [VideoSegment] {
    let bySource = facts.byContentHash
    var known = SourceCuts()
    return composition.instructions.flatMap { instruction in
        let frames = composition.frameRate.frames(in: instruction.timeRange)
        return videoSegments(frames, of: instruction, composition, encode, bySource: bySource, &known)
    }
}

/// The segments of a run of an instruction's frames.
/// - Parameters:
///   - bySource: facts by content hash.
///   - known: where sources are cut, as far as that has been asked.
func videoSegments(
    _ frames: Range<Int>, of instruction: Instruction, _ composition: Composition, _ encode: VideoEncodeSettings,
    bySource: [String: SourceFacts], _ known: inout SourceCuts
) -> [VideoSegment] {
    guard !frames.isEmpty else { return [] }
    let cuts = segmentCuts(instruction, frames: frames, rate: composition.frameRate, facts: bySource, &known)
    let ranges = instruction.layers.map { $0.timeRange ?? instruction.timeRange }
    let byTime = cuts.isEmpty ? nil : RangeIndex(ranges.map { ($0.start, $0.end) })
    return zip([frames.lowerBound] + cuts, cuts + [frames.upperBound]).map { first, end in
        segment(first..<end, of: instruction, byTime, composition, encode)
    }
}

/// One segment, rebased to its own frame 0.
/// - Parameter byTime: the instruction's layers; nil where the segment is all of it.
private func segment(
    _ frames: Range<Int>, of instruction: Instruction, _ byTime: RangeIndex<MediaTime>?, _ composition: Composition,
    _ encode: VideoEncodeSettings
) -> VideoSegment {
    let start = composition.frameRate.time(ofFrame: frames.lowerBound)
    let offset = -start
    let layers =
        byTime?.indices(from: start, to: composition.frameRate.time(ofFrame: frames.upperBound)).map { instruction.layers[$0] }
        ?? instruction.layers
    let range = TimeRange(start: .zero, duration: composition.frameRate.time(ofFrame: frames.count))
    let slice = VideoSlice(
        canvas: composition.canvas, frameRate: composition.frameRate, frameCount: frames.count,
        instruction: Instruction(
            timeRange: range, layers: layers.compactMap { $0.shifted(by: offset).restricted(to: range) }),
        encode: encode)
    return VideoSegment(key: contentKey("video", slice), firstFrame: frames.lowerBound, slice: slice)
}

/// Frame numbers inside `frames` at which to cut.
private func segmentCuts(
    _ instruction: Instruction, frames: Range<Int>, rate: FrameRate, facts: [String: SourceFacts], _ known: inout SourceCuts
) -> [Int] {
    let perSecond = rate.framesPerSecond
    guard Rational(frames.count) > (SegmentLength.shortest + SegmentLength.edge) * perSecond else { return [] }
    if instruction.layers.contains(where: \.isTransition) { return [] }
    let candidates =
        if let (source, timing) = instruction.layers.compactMap(\.playing).first, let video = facts[source]?.video {
            known.cuts(of: source, video, timing, frames, rate).compactMap { cut in
                // Backwards the frame that starts at a cut is the last of the piece before it.
                timing.timelineTime(ofSource: cut).map { rate.firstFrame(atOrAfter: $0) }
            }.sorted()
        } else {
            stride(from: frames.lowerBound, to: frames.upperBound, by: max(1, (SegmentLength.usual * perSecond).rounded)).map {
                $0
            }
        }
    let edge = (SegmentLength.edge * perSecond).rounded
    return candidates.filter { $0 >= frames.lowerBound + edge && $0 <= frames.upperBound - edge }
}

/// Source times at which clips are cut, as far as they have been asked for.
struct SourceCuts {
    private struct Key: Hashable {
        var source: String
        var speed: Rational
    }

    private var known: [Key: [MediaTime]] = [:]

    /// Those that may lie in a run of frames, and their neighbours.
    fileprivate mutating func cuts(
        of source: String, _ video: VideoFacts, _ timing: SourceTiming, _ frames: Range<Int>, _ rate: FrameRate
    ) -> ArraySlice<MediaTime> {
        let key = Key(source: source, speed: timing.meanSpeed)
        let all = known[key] ?? sourceCuts(video, speed: key.speed)
        known[key] = all
        let ends = [frames.lowerBound, frames.upperBound].map { timing.sourceTime(at: rate.time(ofFrame: $0)) }
        let first = all.firstIndexSorted { $0 > min(ends[0], ends[1]) }
        let end = all.firstIndexSorted { $0 > max(ends[0], ends[1]) }
        return all[max(0, first - 1)..<min(all.count, end + 1)]
    }
}

/// Source times at which any clip of this source is cut: keyframes about `usual` apart, or, where keyframes are rarer
/// than `longest`, plain steps between them.
private func sourceCuts(_ video: VideoFacts, speed: Rational) -> [MediaTime] {
    let shortest = MediaTime(SegmentLength.shortest * speed)
    let usual = MediaTime(SegmentLength.usual * speed)
    let longest = MediaTime(SegmentLength.longest * speed)
    var cuts: [MediaTime] = []
    var last = MediaTime.zero
    var next = 0
    while last + longest < video.duration {
        while next < video.keyframes.count, video.keyframes[next] < last + shortest { next += 1 }
        // Keyframes rise, so the nearest to the usual length is the last before it or the first after it.
        var best: MediaTime?
        var index = next
        while index < video.keyframes.count, video.keyframes[index] <= last + longest {
            let keyframe = video.keyframes[index]
            if best.map({ abs(keyframe - last - usual) < abs($0 - last - usual) }) ?? true { best = keyframe }
            if keyframe > last + usual { break }
            index += 1
        }
        last = best ?? last + usual
        cuts.append(last)
    }
    return cuts
}

extension Layer {
    fileprivate var isTransition: Bool { if case .transition = content { true } else { false } }

    /// What a layer of a moving source plays. The lowest one of a stack is the main track's clip.
    fileprivate var playing: (source: String, timing: SourceTiming)? {
        guard case .video(let source, let timing) = content, timing.loop == nil, !timing.isHeld else { return nil }
        return (source, timing)
    }
}

extension SourceTiming {
    /// Source seconds per second of the film, on average.
    fileprivate var meanSpeed: Rational {
        guard let ramp, ramp.duration > .zero else { return rate.magnitude }
        return rate.magnitude * (ramp.sourceRange.duration / ramp.duration)
    }
}

extension [String: SourceFacts] {
    /// The same by content hash, where they are by location.
    var byContentHash: [String: SourceFacts] {
        Dictionary(values.map { ($0.contentHash, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

private func abs(_ time: MediaTime) -> MediaTime { time < .zero ? -time : time }
