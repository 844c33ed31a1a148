import ExactTime
import ExportPlan

/// The lengths of video segments in seconds of film.
private enum SegmentLength {
    static let shortest = Rational(4)
    static let usual = Rational(5)
    static let longest = Rational(10)
    /// The shortest first or last segment of a clip. A shorter one is merged with its neighbour.
    static let edge = Rational(2)
}

/// Cuts a composition's frames into segments: at every instruction's edge, and every 4 to 10 s inside instructions
/// longer than 6 s, so that several slots can work on a film of one clip.
///
/// Cuts inside a clip depend on its source, not on the timeline or the clip's own edges. If a clip is trimmed or moved,
/// its inner segments keep their keys.
func planVideoSegments(
    _ composition: Composition, encode: VideoEncodeSettings, facts: [String: SourceFacts]
) -> [VideoSegment] {
    let bySource = facts.values.byName
    var known = SourceCuts()
    return composition.instructions.flatMap { instruction in
        let frames = composition.frameRate.frames(in: instruction.timeRange)
        return videoSegments(frames, of: instruction, composition, encode, bySource: bySource, &known)
    }
}

/// The segments of consecutive frames of an instruction.
/// - Parameters:
///   - bySource: the facts by content hash.
///   - known: a cache of the cuts of sources.
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

/// One segment, with times relative to its own frame 0.
/// - Parameter byTime: the index of the instruction's layers; nil if the segment is the whole instruction.
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

/// The frame numbers inside `frames` at which to cut.
private func segmentCuts(
    _ instruction: Instruction, frames: Range<Int>, rate: FrameRate, facts: [String: SourceFacts], _ known: inout SourceCuts
) -> [Int] {
    let perSecond = rate.framesPerSecond
    guard Rational(frames.count) > (SegmentLength.shortest + SegmentLength.edge) * perSecond else { return [] }
    if instruction.layers.contains(where: \.isTransition) { return [] }
    let candidates =
        if let (source, timing) = instruction.layers.compactMap(\.playing).first, let video = facts[source]?.video {
            known.cuts(of: source, video, timing, frames, rate).compactMap { cut in
                // If a clip plays backwards, the frame that starts at a cut belongs to the segment before it.
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

/// A cache of the source times at which clips are cut.
struct SourceCuts {
    private struct Key: Hashable {
        var source: String
        var speed: Rational
    }

    private var known: [Key: [MediaTime]] = [:]

    /// The cuts that may lie within the given frames, and one more on each side.
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

/// The source times at which any clip of this source is cut: keyframes about `usual` apart. If there is no keyframe
/// within `longest`, the cut is exactly `usual` after the one before.
private func sourceCuts(_ video: VideoFacts, speed: Rational) -> [MediaTime] {
    let shortest = MediaTime(SegmentLength.shortest * speed)
    let usual = MediaTime(SegmentLength.usual * speed)
    let longest = MediaTime(SegmentLength.longest * speed)
    var cuts: [MediaTime] = []
    var last = MediaTime.zero
    var next = 0
    while last + longest < video.duration {
        while next < video.keyframes.count, video.keyframes[next] < last + shortest { next += 1 }
        // Keyframes are in ascending order, so the nearest to the usual length is the last before it or the first after
        // it.
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

    /// The source and timing of a video layer that moves and does not loop. The lowest one is the main track's clip.
    fileprivate var playing: (source: String, timing: SourceTiming)? {
        guard case .video(let source, let timing) = content, timing.loop == nil, !timing.isHeld else { return nil }
        return (source, timing)
    }
}

extension SourceTiming {
    /// The average speed in source seconds per second of film.
    fileprivate var meanSpeed: Rational {
        guard let ramp, ramp.duration > .zero else { return rate.magnitude }
        return rate.magnitude * (ramp.sourceRange.duration / ramp.duration)
    }
}

private func abs(_ time: MediaTime) -> MediaTime { time < .zero ? -time : time }
