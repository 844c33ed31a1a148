import ExactTime
import ExportPlan

/// Cuts a composition's frames into segments: between its parts (`CutPart`), which are clips with the transition at their
/// end, and inside parts that are longer than a segment (`SegmentLength`), so that several slots can work on a film of one
/// clip.
///
/// Cuts inside a clip depend on its source, not on the timeline or the clip's own edges. If a clip is trimmed or moved,
/// its inner segments keep their keys.
func planVideoSegments(
    _ composition: Composition, encode: VideoEncodeSettings, facts: [String: SourceFacts], isPreview: Bool = false
) -> [VideoSegment] {
    var cutting = FilmCutting(composition, encode, facts, isPreview: isPreview)
    return CutPart.parts(of: composition).flatMap { part in
        let (frames, cuts) = cutting.cuts(of: part)
        return videoSegments(frames, cutAt: cuts, of: part.instruction, composition, encode)
    }
}

/// How many segments `planVideoSegments` makes. Counting takes a small part of its time, because it makes no content
/// keys.
func countVideoSegments(_ composition: Composition, encode: VideoEncodeSettings, facts: [String: SourceFacts]) -> Int {
    var cutting = FilmCutting(composition, encode, facts)
    return CutPart.parts(of: composition).reduce(0) { count, part in
        let (frames, cuts) = cutting.cuts(of: part)
        return frames.isEmpty ? count : count + cuts.count + 1
    }
}

/// Cuts one part of a composition after the other.
private struct FilmCutting {
    private let composition: Composition
    private let bySource: [String: SourceFacts]
    private let lengths: SegmentLengths
    private var known: SourceCuts
    private let isPreview: Bool

    init(
        _ composition: Composition, _ encode: VideoEncodeSettings, _ facts: [String: SourceFacts], isPreview: Bool = false
    ) {
        self.composition = composition
        self.isPreview = isPreview
        bySource = facts.values.byName
        let costs = PictureCosts(composition, encode, facts: bySource)
        lengths = SegmentLengths(composition, encode, costs)
        known = SourceCuts(costs)
    }

    /// The part's frames, and the frame numbers inside them at which to cut.
    mutating func cuts(of part: CutPart) -> (frames: Range<Int>, cuts: [Int]) {
        let rate = composition.frameRate
        let frames = rate.frames(in: part.instruction.timeRange)
        let length = isPreview ? PreviewFormat.segment : lengths.length(for: part.instruction)
        let cuts = segmentCuts(part.instruction, frames: frames, rate: rate, length, facts: bySource, &known)
        let last = rate.firstFrame(atOrAfter: part.transitionStart)
        let opening = Opening.cut(
            of: part.instruction, frames, before: min(cuts.first ?? last, last), composition, isPreview: isPreview,
            facts: bySource)
        return (frames, (opening.map { [$0] } ?? []) + cuts.filter { $0 < last })
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
    let cuts = segmentCuts(instruction, frames: frames, rate: composition.frameRate, .standard, facts: bySource, &known)
    return videoSegments(frames, cutAt: cuts, of: instruction, composition, encode)
}

/// The segments of consecutive frames of an instruction that is cut at these frames.
private func videoSegments(
    _ frames: Range<Int>, cutAt cuts: [Int], of instruction: Instruction, _ composition: Composition,
    _ encode: VideoEncodeSettings
) -> [VideoSegment] {
    guard !frames.isEmpty else { return [] }
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
    _ instruction: Instruction, frames: Range<Int>, rate: FrameRate, _ length: SegmentLength, facts: [String: SourceFacts],
    _ known: inout SourceCuts
) -> [Int] {
    let perSecond = rate.framesPerSecond
    guard Rational(frames.count) > (length.shortest + length.edge) * perSecond else { return [] }
    let candidates =
        if let (source, timing) = instruction.layers.compactMap(\.playing).first, let video = facts[source]?.video {
            known.cuts(of: source, video, timing, frames, rate, length).compactMap { cut in
                // If a clip plays backwards, the frame that starts at a cut belongs to the segment before it.
                timing.timelineTime(ofSource: cut).map { rate.firstFrame(atOrAfter: $0) }
            }.sorted()
        } else {
            stride(from: frames.lowerBound, to: frames.upperBound, by: max(1, (length.usual * perSecond).rounded)).map { $0 }
        }
    let edge = (length.edge * perSecond).rounded
    return candidates.filter { $0 >= frames.lowerBound + edge && $0 <= frames.upperBound - edge }
}

extension Layer {
    /// The source and timing of a video layer that moves and does not loop. The lowest one is the main track's clip.
    var playing: (source: String, timing: SourceTiming)? {
        guard case .video(let source, let timing) = content, timing.loop == nil, !timing.isHeld else { return nil }
        return (source, timing)
    }
}
