import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// A film that is copied as far as its container allows.
struct CopyPlan {
    var film: CopiedFilm
    /// What has to be encoded again beside it.
    var edges: [VideoSegment]
}

/// Finds the stretches of the sources that are the film, where nothing changes its pictures.
///
/// Of one clip an edit list shows any part. Where a container has none, and where several clips are joined (FFmpeg misplaces all but the
/// first edit), a copy begins at a keyframe and ends where the next group begins; what is missing before and behind is encoded.
/// - Parameter format: decides whether the sound may go along.
/// - Returns: nil where there is something to draw, or nothing to copy.
func planCopy(
    _ composition: Composition, _ settings: ExportSettings, _ format: OutputFormat, facts: [String: SourceFacts]
) -> CopyPlan? {
    guard let shown = shownSources(composition, facts: facts) else { return nil }
    if shown.count == 1, settings.decidedFileType.hasEditLists {
        let audio = composition.audioInputs
        let copiesSound =
            format.audio != nil && !format.isSoundChosen && format.mastering == nil && audio.count == 1
            && audio[0].isUntouched(shown[0].facts, shown[0].range)
        var stretch = shown[0].stretch(shown[0].frames, composition.frameRate)
        stretch.sourceRange = shown[0].range
        return CopyPlan(film: CopiedFilm(stretches: [stretch], isCutByEditList: true, copiesSound: copiesSound), edges: [])
    }
    let byHash = facts.byContentHash
    var known = SourceCuts()
    var plan = CopyPlan(film: CopiedFilm(stretches: [], isCutByEditList: false, copiesSound: false), edges: [])
    for clip in shown {
        let whole = clip.wholeGroups(composition.frameRate) ?? clip.frames.upperBound..<clip.frames.upperBound
        if !whole.isEmpty { plan.film.stretches.append(clip.stretch(whole, composition.frameRate)) }
        let edges = [clip.frames.lowerBound..<whole.lowerBound, whole.upperBound..<clip.frames.upperBound].filter { !$0.isEmpty }
        guard !edges.isEmpty else { continue }
        guard let encode = clip.video.edgeSettings(settings, composition.frameRate) else { return nil }
        let stored = clip.stored(composition)
        for frames in edges {
            plan.edges += videoSegments(frames, of: stored.instruction, stored.composition, encode, bySource: byHash, &known)
        }
    }
    return plan.film.stretches.isEmpty ? nil : plan
}

/// A source that is all there is to see for a while, as it is.
struct ShownSource {
    var instruction: Instruction
    /// Of the film.
    var frames: Range<Int>
    var facts: SourceFacts
    var video: VideoFacts
    var timing: SourceTiming

    /// What of the source is seen, to the very instant.
    var range: TimeRange {
        let range = instruction.timeRange
        return TimeRange(start: timing.sourceTime(at: range.start), duration: range.duration)
    }

    func stretch(_ part: Range<Int>, _ rate: FrameRate) -> CopiedStretch {
        let start = timing.sourceTime(at: rate.time(ofFrame: part.lowerBound))
        return CopiedStretch(
            source: facts.contentHash, sourceRange: TimeRange(start: start, duration: rate.time(ofFrame: part.count)),
            firstFrame: part.lowerBound, frameCount: part.count)
    }

    /// The clip as its file stores it: a film of it is turned by its container, like what is copied.
    func stored(_ composition: Composition) -> (composition: Composition, instruction: Instruction) {
        var composition = composition
        composition.canvas = video.size
        var instruction = instruction
        instruction.layers = instruction.layers.suffix(1).map { layer in
            var layer = layer
            layer.placement = Placement(orientation: .upright, region: .whole, destination: PixelRect(video.size))
            return layer
        }
        return (composition, instruction)
    }

    /// The frames of the film that whole groups of pictures show; nil where there are none.
    func wholeGroups(_ rate: FrameRate) -> Range<Int>? {
        guard let first = video.keyframes.first else { return nil }
        let open = Dictionary((video.packets?.openKeyframes ?? []).map { ($0.time, $0) }, uniquingKeysWith: { one, _ in one })
        func number(_ time: MediaTime) -> Int { ((time - first + video.startTolerance).seconds * rate.framesPerSecond).floor }
        let shown = number(timing.sourceTime(at: rate.time(ofFrame: frames.lowerBound)))
        let end = shown + frames.count
        let starts = video.keyframes.filter { open[$0]?.canFollowOthers ?? true }.map(number)
        guard let begin = starts.first(where: { $0 >= shown }), begin < end else { return nil }
        let ends = video.keyframes.map { number(open[$0]?.firstShown ?? $0) } + [video.frameCount]
        let last = video.isShownInDecodingOrder ? end : ends.last { $0 > begin && $0 <= end }
        guard let last else { return nil }
        return frames.lowerBound + begin - shown..<frames.lowerBound + last - shown
    }
}

/// - Returns: nil where anything but one source at a time, whole and as it is, can be seen.
func shownSources(_ composition: Composition, facts: [String: SourceFacts]) -> [ShownSource]? {
    let byHash = facts.byContentHash
    var shown: [ShownSource] = []
    for instruction in composition.instructions {
        let frames = composition.frameRate.frames(in: instruction.timeRange)
        guard !frames.isEmpty else { continue }
        guard let played = instruction.layers.played, let source = byHash[played.source], let video = source.video,
            played.layer.isWhole(video, on: composition.canvas), video.frameRate == composition.frameRate
        else { return nil }
        shown.append(
            ShownSource(
                instruction: instruction, frames: frames, facts: source, video: video, timing: played.timing))
    }
    return shown.isEmpty ? nil : shown
}

extension VideoFacts {
    /// Whether no picture is decoded before one that is shown earlier: then a copy may end anywhere.
    var isShownInDecodingOrder: Bool { ["vp9", "av1", "prores", "mjpeg"].contains(codec) }

    /// How frames are encoded that stand beside copied ones; nil where they could not be alike.
    func edgeSettings(_ settings: ExportSettings, _ rate: FrameRate) -> VideoEncodeSettings? {
        let codecs: [String: VideoCodec] = ["h264": .h264, "hevc": .hevc, "vp9": .vp9]
        let depths = ["yuv420p": 8, "yuv420p10le": 10]
        guard let codec = codecs[codec], let depth = depths[pixelFormat], depth == 8 || codec != .h264, !color.isFullRange,
            sampleAspectRatio == .one, !isVariableFrameRate
        else { return nil }
        var encoded = settings
        encoded.preset = .highestQuality
        encoded.videoCodec = codec
        var result = encoded.videoEncoding(rate)
        result?.standsBetweenOthers = true
        result?.color = FilmColor(
            color, chromaLocation: chromaLocation == .left ? nil : chromaLocation, light: light,
            bitsPerSample: depth == 8 ? 8 : nil)
        return result
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
