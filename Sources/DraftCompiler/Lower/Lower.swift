import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Turns placed clips into a composition: instructions with layers, and audio inputs. The composition knows no clips.
/// - Parameter keepsTransparency: whether the film is transparent where the draft covers nothing.
func lower(
    _ draft: Draft, timeline: Timeline, format: PictureFormat, keepsTransparency: Bool, facts: [String: SourceFacts]
) -> Composition {
    let window = timeline.window
    let clips = ClipLayers(
        draft: draft, backgroundFacts: timeline.background, format: format, keepsTransparency: keepsTransparency,
        facts: facts)
    let track = played(
        trackIntervals(timeline).map { Instruction(timeRange: $0.timeRange, layers: clips.layers(of: $0)) }, timeline.effects,
        EffectLowering(format: format, facts: facts))
    let above = LayerLowering(format: format, facts: facts, fonts: FontRequests(draft)).lower(draft.layers ?? [], from: .zero)
    let aboveByTime = RangeIndex(
        above.map { layer in (layer.timeRange?.start ?? window.start, layer.timeRange?.end ?? window.end) })
    let instructions = track.compactMap { instruction -> Instruction? in
        let visible = instruction.timeRange.intersection(window)
        guard !visible.isEmpty else { return nil }
        let seen = aboveByTime.indices(from: visible.start, to: visible.end).map { above[$0] }
        let all = (instruction.layers + seen).compactMap { $0.restricted(to: visible) }
        return Instruction(timeRange: visible.shifted(by: -window.start), layers: all.map { $0.shifted(by: -window.start) })
    }
    let sounds = lowerAudio(timeline, layers: draft.layers ?? [], facts: facts, declick: draft.audio?.declick ?? .zero)
    var composition = Composition(
        canvas: format.canvas, frameRate: format.frameRate, duration: window.duration, instructions: instructions,
        audioInputs: sounds.inputs,
        subtitles: lowerSubtitles(draft.layers ?? [], facts, window: window))
    composition.soundGroups = sounds.groups.isEmpty ? nil : sounds.groups
    if draft.audioTracks?.isEmpty == false {
        let tracks = lowerAudioTracks(draft, timeline, facts: facts, declick: draft.audio?.declick ?? .zero)
        (composition.audioInputs, composition.soundGroups) = (tracks[0].inputs, tracks[0].groups)
        composition.soundTracks = tracks
    }
    composition.chapters = lowerChapters(draft.chapters ?? [], window: window)
    composition.cover = draft.cover.flatMap { facts[$0.url] }.map { Cover(source: $0.contentHash) }
    return composition
}

/// The chapters of which the film shows a part, in film time; nil if there are none.
private func lowerChapters(_ chapters: [DraftChapter], window: TimeRange) -> [Chapter]? {
    let ends = chapters.dropFirst().map(\.start) + [window.end]
    let seen = zip(chapters, ends).compactMap { chapter, end -> Chapter? in
        let range = TimeRange(from: chapter.start, to: max(chapter.start, end)).intersection(window)
        return range.isEmpty ? nil : Chapter(timeRange: range.shifted(by: -window.start), title: chapter.title)
    }
    return seen.isEmpty ? nil : seen
}

/// The main track with its effects. Each effect changes the result of those before it.
private func played(_ track: [Instruction], _ effects: [PlacedEffect], _ lowering: EffectLowering) -> [Instruction] {
    effects.reduce(track) { track, effect in
        switch effect {
        case .time(let change, _):
            return track.applying(change) { range in
                track.filter { $0.timeRange.contains(range.start) }.map { $0.held(during: range) }
            }
        case .picture(let effect, let range):
            guard let layer = lowering.lower(effect, range) else { return track }
            return track.map { instruction in
                let seen = layer.restricted(to: instruction.timeRange)
                return Instruction(timeRange: instruction.timeRange, layers: instruction.layers + (seen.map { [$0] } ?? []))
            }
        }
    }
}

/// An interval of the main track during which the same clips are seen.
private struct TrackInterval {
    enum Content {
        case clip(PlacedClip)
        case overlap(PlacedClip, PlacedClip)
        /// The content of a draft that has only layers.
        case nothing
    }

    var timeRange: TimeRange
    var content: Content
}

/// The main track as intervals: each clip alone, and each overlap.
private func trackIntervals(_ timeline: Timeline) -> [TrackInterval] {
    let clips = timeline.clips
    if clips.isEmpty {
        return [TrackInterval(timeRange: TimeRange(start: .zero, duration: timeline.trackDuration), content: .nothing)]
    }
    var result: [TrackInterval] = []
    for (index, placed) in clips.enumerated() {
        if index > 0, placed.transitionDuration > .zero {
            let overlap = TimeRange(start: placed.timeRange.start, duration: placed.transitionDuration)
            result.append(TrackInterval(timeRange: overlap, content: .overlap(clips[index - 1], placed)))
        }
        let aloneFrom = placed.timeRange.start + placed.transitionDuration
        let aloneTo = index + 1 < clips.count ? clips[index + 1].timeRange.start : placed.timeRange.end
        if aloneTo > aloneFrom {
            result.append(TrackInterval(timeRange: TimeRange(from: aloneFrom, to: aloneTo), content: .clip(placed)))
        }
    }
    return result
}

/// The layers of one clip: its background, then its picture.
private struct ClipLayers {
    let draft: Draft
    let backgroundFacts: SourceFacts?
    let format: PictureFormat
    let keepsTransparency: Bool
    /// The facts of the files that filters read.
    let facts: [String: SourceFacts]

    func layers(of interval: TrackInterval) -> [Layer] {
        switch interval.content {
        case .clip(let placed): stack(placed)
        case .overlap(let from, let to): [transition(from, to, over: interval.timeRange)]
        case .nothing: background
        }
    }

    private func stack(_ placed: PlacedClip) -> [Layer] {
        if let color = placed.clip.color {
            return (color.alpha == 255 ? [] : background) + [Layer(content: .solid(color: RGBAColor(color)))]
        }
        if let generator = placed.clip.generator {
            guard let content = generated(generator, placed) else { return background }
            return stack(placed, content, VideoFacts(generatedAt: format.canvas))
        }
        guard let facts = placed.facts, let picture = facts.video, placed.clip.video != false else { return background }
        return stack(placed, content(placed, facts, picture), picture)
    }

    private func stack(_ placed: PlacedClip, _ content: Layer.Content, _ picture: VideoFacts) -> [Layer] {
        let upright = placed.clip.upright(picture)
        let animated = AnimatedProperties(placed.clip.animations, from: placed.timeRange.start)
        let opacity = animated.value("opacity", placed.clip.opacity ?? 1)
        let crop = LoweredCrop(placed.clip.cropRect, animated, of: upright.displaySize)
        var layer = Layer(
            content: content,
            placement: placePicture(
                upright.displaySize, orientation: upright.orientation, crop: crop.rect,
                mode: placed.clip.scalingMode ?? .aspectFit, format: format),
            opacity: opacity, operations: lowerFilters(of: placed.clip, animated)(format.scale.x))
        if placed.clip.isTransformed || crop.isMoving {
            move(
                &layer, upright, crop, by: placed.clip.transform, animated, mode: placed.clip.scalingMode ?? .aspectFit,
                filters: lowerFilters(of: placed.clip, animated))
        }
        let covers = layer.placement?.destination == PixelRect(format.canvas) && layer.transform == nil
        let isOpaque = !picture.hasAlpha && layer.operations?.contains(where: \.changesAlpha) != true
        if covers, opacity.constantValue == 1, isOpaque { return [layer] }
        return solidBackground + backdrop(content, upright, crop, placed) + [layer]
    }

    /// Places a picture that is transformed or has an animated crop. The scaling mode fits it into the frame, then the
    /// transform is applied.
    /// - Parameter filters: the operations for a scale in pixels of the picture per pixel of `videoSize`.
    private func move(
        _ layer: inout Layer, _ picture: VideoFacts, _ crop: LoweredCrop, by given: DraftModel.Transform?,
        _ animated: AnimatedProperties, mode: ScalingMode, filters: (Rational) -> [Operation]?
    ) {
        let size = picture.displaySize
        let region = croppedRegion(size, crop.rect)
        var transform = given ?? Transform()
        transform.fit = Transform.Fit(
            rect: Rect(x: .zero, y: .zero, width: .one, height: .one, unit: .ratio), mode: mode)
        let (width, height) = (region.width * Rational(size.width), region.height * Rational(size.height))
        layer.placement?.region = region
        layer.crop = crop.moving(transform.fit, format)
        layer.transform = lowerTransform(
            transform, animated, width: width, height: height, scale: format.scale, crop: layer.crop, format: format)
        // The operations now run on the source's own pixels. Their lengths are scaled so that they look the same as
        // without a transform.
        let fitted = fittedScale(transform.fit, width: width, height: height, scale: format.scale, format: format)
        layer.operations = filters(format.scale.x / fitted.x)
    }

    private func transition(_ from: PlacedClip, _ to: PlacedClip, over range: TimeRange) -> Layer {
        let transition = to.clip.transition
        return Layer(
            content: .transition(
                ExportPlan.Transition(
                    kind: transition?.type ?? .dissolve, timeRange: range, from: stack(from), to: stack(to),
                    map: transition.flatMap { lumaMap(of: $0, facts, format) },
                    mixer: transition.flatMap { TransitionMixer($0, from: range.start, facts: facts) })))
    }

    private func content(_ placed: PlacedClip, _ facts: SourceFacts, _ picture: VideoFacts) -> Layer.Content {
        let source = facts.pictureName
        if placed.clip.type == .image || picture.isStill { return .still(source: source) }
        return .video(source: source, timing: timing(placed, fields: SourceFields(placed.clip.deinterlace, picture)))
    }

    /// - Returns: nil if the plug-in has no facts.
    private func generated(_ generator: PicturePlugin, _ placed: PlacedClip) -> Layer.Content? {
        let animated = AnimatedProperties(placed.clip.animations, from: placed.timeRange.start)
        return Operation(generator, as: "generator", animated.parameters, from: nil, facts: facts).map {
            .generator(GeneratedContent(call: $0, size: format.canvas, timing: timing(placed, fields: nil)))
        }
    }

    private func timing(_ placed: PlacedClip, fields: SourceFields?) -> SourceTiming {
        let reversed = placed.clip.reverse == true
        let played = placed.ramp.map { TimeRange(start: .zero, duration: $0.duration) } ?? placed.sourceRange
        let (start, rate) = reversed ? (played.end, -placed.speed) : (played.start, placed.speed)
        return SourceTiming(
            timelineStart: placed.timeRange.start, sourceStart: start, rate: rate, ramp: placed.ramp,
            blendsFrames: placed.clip.frameBlending == true ? true : nil, fields: fields,
            steps: placed.clip.frameRate.map { .init(start: start, length: $0.time(ofFrame: 1) * rate) })
    }

    /// The clip's operations for a scale in pixels of the picture that they run on per pixel of `videoSize`.
    private func lowerFilters(of clip: MainTrackClip, _ animated: AnimatedProperties) -> (Rational) -> [Operation]? {
        { lowerOperations(clip.filters, animated, list: "filters", scale: $0, facts: facts) }
    }

    /// The background that is seen where there is no clip.
    private var background: [Layer] { solidBackground + backdropImage }

    /// The lowest layer; none where a film that keeps its transparency has no background.
    private var solidBackground: [Layer] {
        if keepsTransparency {
            guard let color = draft.background?.color, color.alpha > 0 else { return [] }
            return [Layer(content: .solid(color: RGBAColor(color)))]
        }
        let color = draft.background?.color ?? Color(red: 0, green: 0, blue: 0)
        // The film has no alpha channel, so a translucent background colour is drawn over black.
        func overBlack(_ value: UInt8) -> UInt8 { UInt8((Int(value) * Int(color.alpha) + 127) / 255) }
        return [
            Layer(
                content: .solid(
                    color: RGBAColor(
                        red: overBlack(color.red), green: overBlack(color.green), blue: overBlack(color.blue), alpha: 255)))
        ]
    }

    private func backdrop(
        _ content: Layer.Content, _ picture: VideoFacts, _ crop: LoweredCrop, _ placed: PlacedClip
    ) -> [Layer] {
        guard draft.background?.type == .blur else { return backdropImage }
        let radius = draft.background?.radius ?? 30
        let animated = AnimatedProperties(placed.clip.animations, from: placed.timeRange.start)
        let filters = lowerFilters(of: placed.clip, animated)
        var filled = Layer(
            content: content,
            placement: placePicture(
                picture.displaySize, orientation: picture.orientation, crop: crop.rect, mode: .aspectFill, format: format),
            operations: filters(format.scale.x))
        if crop.isMoving {
            let unmoved = AnimatedProperties(nil, from: placed.timeRange.start)
            move(&filled, picture, crop, by: nil, unmoved, mode: .aspectFill, filters: filters)
        }
        return [Layer(content: .blurred(layer: filled, deviation: radius * format.scale.x.doubleValue))]
    }

    private var backdropImage: [Layer] {
        guard draft.background?.type == .image, let backgroundFacts, let picture = backgroundFacts.video else { return [] }
        return [
            Layer(
                content: .still(source: backgroundFacts.contentHash),
                placement: placePicture(
                    picture.displaySize, orientation: picture.orientation, crop: nil, mode: .aspectFill, format: format))
        ]
    }
}

extension MainTrackClip {
    fileprivate var isTransformed: Bool {
        transform != nil || animations?.contains { $0.keyPath.hasPrefix("transform.") } == true
    }
}

extension SourceFields {
    /// How a source is deinterlaced; nil where its frames are shown as they are.
    init?(_ deinterlace: Deinterlace?, _ video: VideoFacts?) {
        switch deinterlace ?? .auto {
        case .auto:
            guard let fields = video?.interlacing?.fields else { return nil }
            self = fields
        case .off: return nil
        case .topFieldFirst: self = .topFieldFirst
        case .bottomFieldFirst: self = .bottomFieldFirst
        }
    }
}

extension AnimatedValue {
    /// The animated value in the curve's own time.
    init(_ curve: KeyedCurve) {
        let functions = curve.timingFunctions ?? []
        self.init(
            keys: zip(curve.keyTimes, curve.values).enumerated().map { index, key in
                Key(time: key.0, value: key.1, easing: index < functions.count ? functions[index] : .linear)
            })
    }
}

extension Orientation {
    init(_ transform: PreferredTransform) {
        self.init(quarterTurns: (transform.rotation ?? 0) / 90, mirrored: transform.mirrored ?? false)
    }
}
