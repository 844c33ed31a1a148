import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// A film that is copied as far as its container allows.
struct CopyPlan {
    var film: CopiedFilm
    /// The segments that must be encoded beside the copied ranges.
    var edges: [VideoSegment]
}

/// Finds the copied ranges of a film whose pictures nothing changes.
///
/// An edit list can show any part of a single clip. If the container has no edit lists, or several clips are joined
/// (FFmpeg misplaces all edits but the first), each copy begins at a keyframe and ends where the next group of pictures
/// begins. The frames before and after it are encoded.
/// - Parameter format: the output format, which decides whether the sound is copied too.
/// - Returns: nil if something must be drawn, or if nothing can be copied.
func planPassthrough(
    _ composition: Composition, _ settings: ExportSettings, _ format: OutputFormat, facts: [String: SourceFacts]
) -> CopyPlan? {
    guard let shown = shownSources(composition, facts: facts) else { return nil }
    let bySource = facts.values.byName
    if shown.count == 1, settings.decidedFileType.format.hasEditLists {
        let audio = composition.audioInputs
        let source = shown[0].facts.with(soundOf: audio.first.flatMap { bySource[$0.source] })
        let copiesSound =
            format.audio != nil && !format.isSoundChosen && format.mastering == nil && format.mixFilters == nil
            && audio.count == 1
            && audio[0].isUnchanged(source, shown[0].range)
        var copied = shown[0].copiedRange(shown[0].frames, composition.frameRate)
        copied.sourceRange = shown[0].range
        if copiesSound { copied.source = source.name }
        return CopyPlan(film: CopiedFilm(ranges: [copied], isCutByEditList: true, copiesSound: copiesSound), edges: [])
    }
    var plan = CopyPlan(film: CopiedFilm(ranges: [], isCutByEditList: false, copiesSound: false), edges: [])
    for clip in shown {
        let whole = clip.wholeGroups(composition.frameRate) ?? clip.frames.upperBound..<clip.frames.upperBound
        if !whole.isEmpty { plan.film.ranges.append(clip.copiedRange(whole, composition.frameRate)) }
        let edges = [clip.frames.lowerBound..<whole.lowerBound, whole.upperBound..<clip.frames.upperBound].filter { !$0.isEmpty }
        guard !edges.isEmpty else { continue }
        guard let encode = clip.video.edgeSettings(settings, composition.frameRate) else { return nil }
        let stored = clip.stored(composition)
        var known = SourceCuts(PictureCosts(stored.composition, encode, facts: bySource))
        for frames in edges {
            plan.edges += videoSegments(frames, of: stored.instruction, stored.composition, encode, bySource: bySource, &known)
        }
    }
    return plan.film.ranges.isEmpty ? nil : plan
}

/// A source that alone is seen for an interval, unchanged.
struct ShownSource {
    var instruction: Instruction
    /// The frame numbers in the film.
    var frames: Range<Int>
    var facts: SourceFacts
    var video: VideoFacts
    var timing: SourceTiming

    /// The exact range of source time that is seen.
    var range: TimeRange {
        let range = instruction.timeRange
        return TimeRange(start: timing.sourceTime(at: range.start), duration: range.duration)
    }

    func copiedRange(_ frames: Range<Int>, _ rate: FrameRate) -> CopiedRange {
        let start = timing.sourceTime(at: rate.time(ofFrame: frames.lowerBound))
        return CopiedRange(
            source: facts.pictureName, sourceRange: TimeRange(start: start, duration: rate.time(ofFrame: frames.count)),
            firstFrame: frames.lowerBound, frameCount: frames.count)
    }

    /// The clip as its file stores it, before rotation. The film's container rotates the encoded segments like the
    /// copied ranges.
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

    /// The frames of the film that show whole groups of pictures; nil if there are none.
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

/// - Returns: nil if anything but one whole and unchanged source at a time can be seen.
func shownSources(_ composition: Composition, facts: [String: SourceFacts]) -> [ShownSource]? {
    let bySource = facts.values.byName
    var shown: [ShownSource] = []
    for instruction in composition.instructions {
        let frames = composition.frameRate.frames(in: instruction.timeRange)
        guard !frames.isEmpty else { continue }
        guard let played = instruction.layers.played, let source = bySource[played.source], let video = source.video,
            played.layer.isWhole(video, on: composition.canvas), video.frameRate == composition.frameRate
        else { return nil }
        shown.append(
            ShownSource(
                instruction: instruction, frames: frames, facts: source, video: video, timing: played.timing))
    }
    return shown.isEmpty ? nil : shown
}

extension VideoFacts {
    /// Whether pictures are decoded in the order in which they are shown. Then a copy may end at any picture.
    var isShownInDecodingOrder: Bool { ["vp9", "av1", "prores", "mjpeg"].contains(codec) }

    /// The settings to encode frames that stand beside copied ones; nil if the two could not be alike.
    func edgeSettings(_ settings: ExportSettings, _ rate: FrameRate) -> VideoEncodeSettings? {
        guard let codec = VideoCodec(rawValue: codec), codec.format.standsBesideCopies, !color.isFullRange,
            sampleAspectRatio == .one, !isVariableFrameRate
        else { return nil }
        let isEightBit = pixelFormat == codec.format.pixels.rawValue
        guard isEightBit || pixelFormat == codec.format.tenBitPixels?.rawValue else { return nil }
        var encoded = settings
        encoded.preset = .highestQuality
        encoded.videoCodec = codec
        var result = encoded.videoEncoding(rate)
        result?.standsBetweenOthers = true
        result?.color = FilmColor(
            color, chromaLocation: chromaLocation == .left ? nil : chromaLocation, hdrMetadata: hdrMetadata,
            bitsPerSample: isEightBit ? 8 : nil)
        return result
    }
}

extension [Layer] {
    /// The topmost layer if it is a video and all layers below it are solid colours.
    fileprivate var played: (layer: Layer, source: String, timing: SourceTiming)? {
        guard let layer = last, case .video(let source, let timing) = layer.content else { return nil }
        let isBackground = dropLast().allSatisfy { if case .solid = $0.content { true } else { false } }
        return isBackground ? (layer, source, timing) : nil
    }
}

extension Layer {
    /// Whether the layer shows all of a source's picture on the whole canvas, unchanged, at normal speed and
    /// during its whole instruction.
    fileprivate func isWhole(_ video: VideoFacts, on canvas: FrameSize) -> Bool {
        guard case .video(_, let timing) = content, let placement else { return false }
        return timing.rate == .one && timing.loop == nil && timing.ramp == nil && timeRange == nil && transform == nil
            && crop == nil && opacity.constantValue == 1 && operations?.isEmpty != false && mask == nil
            && (blendMode ?? .normal) == .normal && mixer == nil && placement.orientation == video.orientation
            && placement.region == .whole
            && placement.destination == PixelRect(canvas) && video.displaySize == canvas
            && !video.isStill && !video.isAnimatedPicture
    }
}

extension AudioInput {
    /// Whether the sound is that of the source, unchanged and in sync with its pictures.
    fileprivate func isUnchanged(_ facts: SourceFacts, _ range: TimeRange) -> Bool {
        guard let audio = facts.audio, audio.codec == "aac", audio.timeBase == Rational(1, Int64(audio.sampleRate)) else {
            return false
        }
        return source == facts.soundName && sourceRange.start == range.start && timeRange.start == .zero
            && timeRange.duration == range.duration && !reversed && speed == .one && speedRanges == nil && pitch == 0
            && duck == nil && pan == nil && filters == nil && group == nil
            && gains.allSatisfy { curve in curve.points.allSatisfy { $0.gain == 1 } }
    }
}
