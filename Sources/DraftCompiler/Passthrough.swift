import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Finds the stretch of a source that is the whole film, where nothing changes its pictures.
/// - Parameter format: decides whether its sound may go along.
/// - Returns: nil where there is something to draw.
func copiedStretch(
    _ composition: Composition, _ format: OutputFormat, facts: [String: SourceFacts]
) -> CopiedStretch? {
    guard composition.instructions.count == 1, let played = composition.instructions[0].layers.played,
        let source = facts.values.first(where: { $0.contentHash == played.source }), let video = source.video,
        played.layer.isWhole(video, on: composition.canvas), video.frameRate == composition.frameRate
    else { return nil }
    let range = TimeRange(start: played.timing.sourceTime(at: .zero), duration: composition.duration)
    let copiesSound =
        format.audio != nil && !format.isSoundChosen && format.mastering == nil && composition.audioInputs.count == 1
        && composition.audioInputs[0].isUntouched(source, range)
    return CopiedStretch(source: source.contentHash, sourceRange: range, copiesSound: copiesSound)
}

/// Reports what keeps a draft from being copied.
func checkPassthrough(
    _ draft: Draft, _ composition: Composition, _ settings: ExportSettings, facts: [String: SourceFacts],
    _ diagnostics: inout Diagnostics
) {
    let format = OutputFormat(settings: settings, draft: draft, frameRate: composition.frameRate)
    let videos = draft.mainTrackClips.first.flatMap { facts[$0.url]?.video }
    if let video = videos, !settings.decidedFileType.copiedCodecs.contains(video.codec) {
        let names = settings.decidedFileType.copiedCodecs.joined(separator: ", ")
        diagnostics.report(
            "mainTrackClips[0].url", .conflict,
            "has pictures in \(video.codec), which passthrough cannot copy into a \(settings.decidedFileType.rawValue) file, but \(names)"
        )
    }
    if let copied = copiedStretch(composition, format, facts: facts) {
        guard let video = videos, video.codec == "av1" else { return }
        return checkKeyframe(copied.sourceRange.start, video, &diagnostics)
    }
    let known = diagnostics.all.count
    let remedy = "which passthrough copies as they are; leave it out, or export with another preset"
    for change in pictureChanges(draft) { diagnostics.report(change, .conflict, "changes the pictures, \(remedy)") }
    if draft.mainTrackClips.count > 1 {
        diagnostics.report(
            "mainTrackClips[1]", .conflict,
            "is a second clip, and passthrough copies one; export with another preset to join them")
    }
    if let video = videos, video.displaySize != composition.canvas {
        diagnostics.report(
            "videoSize", .conflict, "must be \(video.displaySize), the size of the pictures that passthrough copies")
    }
    if let video = videos, video.frameRate != composition.frameRate {
        diagnostics.report(
            "frameRate", .conflict, "must be \(video.frameRate), the rate of the pictures that passthrough copies")
    }
    if diagnostics.all.count == known {
        diagnostics.report("mainTrackClips[0]", .conflict, "is not shown as it is; export with another preset than passthrough")
    }
}

/// Decoders of AV1 show what an edit list hides: there a film can begin at a keyframe alone.
private func checkKeyframe(_ start: MediaTime, _ video: VideoFacts, _ diagnostics: inout Diagnostics) {
    let tolerance = video.startTolerance
    guard let before = video.keyframes.last(where: { $0 <= start + tolerance }), start - before > tolerance else { return }
    diagnostics.report(
        "mainTrackClips[0].timeRange.start", .conflict,
        "must be at a keyframe to be copied from AV1, as \(before) s is; move it, or export with another preset")
}

/// Places of a draft where something is drawn, or drawn otherwise.
private func pictureChanges(_ draft: Draft) -> [String] {
    let lists = [
        ("effects", draft.effects?.isEmpty == false), ("layers", draft.layers?.isEmpty == false),
    ].filter(\.1).map(\.0)
    let clips = draft.mainTrackClips.enumerated().flatMap { index, clip in
        let members = [
            ("speed", clip.speed != nil), ("durationAtMainTrack", clip.durationAtMainTrack != nil),
            ("reverse", clip.reverse == true),
            ("preferredTransform", clip.preferredTransform != nil), ("cropRect", clip.cropRect != nil),
            ("transform", clip.transform != nil), ("opacity", clip.opacity != nil), ("filters", clip.filters?.isEmpty == false),
            ("transition", clip.transition != nil), ("type", clip.type == .image),
        ]
        return members.filter(\.1).map { "mainTrackClips[\(index)].\($0.0)" }
    }
    return lists + clips
}

extension FileType {
    /// What its edit lists and its boxes have room for, by libavcodec's names.
    fileprivate var copiedCodecs: [String] {
        switch self {
        case .mp4: ["h264", "hevc", "av1", "vp9", "mpeg4"]
        case .mov: ["h264", "hevc", "prores", "mpeg4", "mjpeg"]
        default: []
        }
    }
}

extension [Layer] {
    /// The one moving picture, if the others are a ground that it covers.
    fileprivate var played: (layer: Layer, source: String, timing: SourceTiming)? {
        guard let layer = last, case .video(let source, let timing) = layer.content else { return nil }
        let isGround = dropLast().allSatisfy { if case .solid = $0.content { true } else { false } }
        return isGround ? (layer, source, timing) : nil
    }
}

extension Layer {
    /// Whether it is all of a source's picture, on all of the canvas, from its first frame to its last.
    fileprivate func isWhole(_ video: VideoFacts, on canvas: FrameSize) -> Bool {
        guard case .video(_, let timing) = content, let placement else { return false }
        return timing.rate == .one && timing.loop == nil && timing.ramp == nil && timeRange == nil && transform == nil
            && crop == nil && opacity.constantValue == 1 && operations?.isEmpty != false && mask == nil
            && (blendMode ?? .normal) == .normal && placement.orientation == video.orientation && placement.region == .whole
            && placement.destination == PixelRect(canvas) && video.displaySize == canvas
            && !video.isStill && !video.isAnimatedPicture
    }
}

extension AudioInput {
    /// Whether it is heard as the source has it, beside its pictures.
    fileprivate func isUntouched(_ facts: SourceFacts, _ range: TimeRange) -> Bool {
        guard let audio = facts.audio, audio.codec == "aac", audio.timeBase == Rational(1, Int64(audio.sampleRate)) else {
            return false
        }
        return source == facts.contentHash && sourceRange.start == range.start && timeRange.start == .zero
            && timeRange.duration == range.duration && !reversed && speed == .one && legs == nil && pitch == 0 && duck == nil
            && gains.allSatisfy { curve in curve.points.allSatisfy { $0.gain == 1 } }
    }
}
