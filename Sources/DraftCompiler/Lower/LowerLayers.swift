import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Lowers a draft's layers to the layers of the composition: in drawing order, in timeline time.
struct LayerLowering {
    let format: PictureFormat
    let facts: [String: SourceFacts]
    let fonts: FontRequests

    /// - Parameter start: the timeline time of the layers' time 0.
    func lower(_ layers: [DraftLayer], from start: MediaTime) -> [Layer] {
        layers.drawingOrder.compactMap {
            lower($0, AnimatedProperties($0.animations, from: $0.timeRange.start))?.shifted(by: start)
        }
    }

    /// Lowers one layer, in the time of the list that contains it.
    func lower(_ layer: DraftLayer, _ animated: AnimatedProperties) -> Layer? {
        guard layer.video != false, let picture = picture(of: layer, animated) else { return nil }
        var transform: LayerTransform?
        if layer.source != nil {
            transform = lowerTransform(
                layer.transform, animated, width: picture.width, height: picture.height, scale: picture.scale,
                crop: picture.crop, format: format)
        }
        return Layer(
            content: picture.content, timeRange: picture.timeRange, placement: picture.placement, transform: transform,
            crop: picture.crop, opacity: animated.value("opacity", layer.opacity ?? 1),
            operations: lowerOperations(layer.operations, animated, list: "operations", scale: picture.pixels, facts: facts),
            mask: layer.mask.map { lower($0, over: picture.frame, during: picture.timeRange, animated.inside("mask")) },
            blendMode: layer.blendMode?.named == .normal ? nil : layer.blendMode?.named,
            mixer: layer.blendMode?.mixer.flatMap {
                Operation(
                    $0, as: "mixer", animated.inside("blendMode").parameters, from: layer.timeRange.start, facts: facts)
            },
            transitions: lowerTransitions(of: layer, during: picture.timeRange))
    }

    /// The picture that a layer draws, before its transform.
    private struct Picture {
        var content: Layer.Content
        var timeRange: TimeRange
        var placement: Placement?
        /// The crop, if it is animated.
        var crop: LayerCrop?
        /// The frame that a mask over the picture is measured in and drawn on. It is not used for texts and shapes,
        /// whose size is unknown before they are drawn, because they cannot have masks.
        var frame: MaskFrame
        /// The size of the picture in its own pixels. It is 1 for texts and shapes, whose size is unknown before they
        /// are drawn; they cannot be fitted.
        var width = Rational.one
        var height = Rational.one
        /// Canvas pixels per pixel of the picture, at a transform scale of 1.
        var scale: (x: Rational, y: Rational) = (.one, .one)
        /// Pixels of the picture per pixel that the draft measures it in. It is not 1 for content that is drawn in
        /// canvas pixels.
        var pixels = Rational.one
    }

    private func picture(of layer: DraftLayer, _ animated: AnimatedProperties) -> Picture? {
        let whole = MaskFrame(size: format.videoSize, canvas: format.canvas)
        guard let source = layer.source else {
            return Picture(content: .adjustment, timeRange: layer.timeRange, frame: whole, pixels: format.scale.x)
        }
        switch source.type {
        case .video, .image:
            guard let found = facts[source], let video = found.video else { return nil }
            let crop = LoweredCrop(layer.cropRect, animated, of: video.displaySize)
            let region = croppedRegion(video.displaySize, crop.rect)
            var picture = Picture(
                content: .still(source: found.pictureName), timeRange: layer.timeRange,
                placement: Placement(
                    orientation: video.orientation, region: region, destination: PixelRect(x: 0, y: 0, width: 2, height: 2)),
                crop: crop.moving(layer.transform?.fit, format), frame: MaskFrame(of: region, video.displaySize),
                width: region.width * Rational(video.displaySize.width),
                height: region.height * Rational(video.displaySize.height), scale: format.scale)
            if source.type == .video, let played = PlayedLayer(layer, found) {
                picture.content = .video(source: found.pictureName, timing: played.timing)
                picture.timeRange = played.timeRange
            }
            return picture
        case .text:
            guard let text = source.text else { return nil }
            let content = TextContent(text, fonts: fonts.fonts(of: source, facts), from: layer.timeRange.start).with(animated)
            return Picture(
                content: .text(content), timeRange: layer.timeRange, frame: whole,
                scale: format.scale)
        case .captions:
            guard let url = source.url, let found = facts[url], source.burnIn != false else { return nil }
            let content = CaptionContent(
                source: found.contentHash, start: layer.timeRange.start, size: format.canvas, layoutSize: format.videoSize,
                look: found.hasOwnStyles ? nil : CaptionContent.Look(source.style, in: format.videoSize),
                fonts: fonts.fonts(of: source, facts))
            return Picture(
                content: .captions(content), timeRange: layer.timeRange, frame: whole, width: Rational(format.canvas.width),
                height: Rational(format.canvas.height), pixels: format.scale.x)
        case .shape:
            guard let shape = source.shape else { return nil }
            return Picture(
                content: .shape(ShapeContent(shape).with(animated)), timeRange: layer.timeRange, frame: whole, scale: format.scale
            )
        case .solid, .generator, .group:
            let size = source.size.map { FrameSize(width: $0.width, height: $0.height) } ?? format.videoSize
            let canvas = scaledSize(size)
            guard let content = content(of: layer, source, size, canvas, animated) else { return nil }
            return Picture(
                content: content, timeRange: layer.timeRange,
                frame: MaskFrame(size: size, canvas: canvas), width: Rational(canvas.width), height: Rational(canvas.height),
                scale: (
                    format.scale.x * Rational(size.width) / Rational(canvas.width),
                    format.scale.y * Rational(size.height) / Rational(canvas.height)
                ), pixels: Rational(canvas.width) / Rational(size.width))
        }
    }

    /// The content of a layer with a frame of its own.
    /// - Parameters:
    ///   - size: the size of the frame in pixels of `videoSize`.
    ///   - canvas: the size in canvas pixels.
    /// - Returns: nil for a generator whose plug-in has no facts.
    private func content(
        of layer: DraftLayer, _ source: LayerSource, _ size: FrameSize, _ canvas: FrameSize, _ animated: AnimatedProperties
    ) -> Layer.Content? {
        switch source.type {
        case .generator:
            let moving = animated.inside("source").parameters
            return source.generator.flatMap { Operation($0, as: "generator", moving, from: nil, facts: facts) }.map {
                .generator(GeneratedContent(call: $0, size: canvas, timing: SourceTiming(generator: source, layer.timeRange)))
            }
        case .group:
            var inside = format
            inside.videoSize = size
            inside.canvas = canvas
            let layers = LayerLowering(format: inside, facts: facts, fonts: fonts).lower(
                source.layers ?? [], from: layer.timeRange.start)
            return .group(layers: layers, size: canvas)
        default:
            return .group(layers: [Layer(solid: source, size: canvas)], size: canvas)
        }
    }

    /// The size of a group in canvas pixels, with even width and height.
    private func scaledSize(_ size: FrameSize) -> FrameSize {
        func even(_ length: Int, _ scale: Rational) -> Int { max(2, (Rational(length) * scale / Rational(2)).rounded * 2) }
        return FrameSize(width: even(size.width, format.scale.x), height: even(size.height, format.scale.y))
    }
}

extension Layer {
    /// The layer that fills the group of a solid.
    /// - Parameter size: that of the group.
    fileprivate init(solid source: LayerSource, size: FrameSize) {
        guard let gradient = source.gradient else {
            self.init(content: .solid(color: source.color.map(RGBAColor.init) ?? .black))
            return
        }
        let (width, height) = (Double(size.width), Double(size.height))
        func constant(_ x: Double, _ y: Double) -> LayerTransform.Pair { .init(x: .constant(x), y: .constant(y)) }
        self.init(
            content: .shape(
                ShapeContent(outline: .rect(width: width, height: height, cornerRadius: 0), gradient: Gradient(gradient))),
            transform: LayerTransform(
                position: constant(width / 2, height / 2), anchor: constant(0.5, 0.5), scale: constant(1, 1),
                rotation: .constant(0)))
    }
}

/// When and how a layer's video plays. It starts with the layer and plays until the layer or the source range ends.
struct PlayedLayer {
    /// The range in the time of the list that contains the layer.
    var timeRange: TimeRange
    var sourceRange: TimeRange
    var speed: Rational
    var isReversed: Bool
    /// Whether the source range repeats.
    var isLooped: Bool
    /// How it is deinterlaced; nil where its frames are shown as they are.
    private let fields: SourceFields?

    /// - Returns: nil if nothing of the source plays.
    init?(_ layer: DraftLayer, _ facts: SourceFacts) {
        guard let source = layer.source, source.type == .video else { return nil }
        let whole = TimeRange(start: .zero, duration: facts.duration)
        speed = source.speed ?? .one
        fields = SourceFields(source.deinterlace, facts.video)
        isReversed = source.reverse == true
        let range = source.timeRange.map(whole.intersection) ?? whole
        isLooped = source.loop == true && range.duration / speed < layer.timeRange.duration
        let repetition = range.duration / speed
        guard repetition > .zero else { return nil }
        let duration = isLooped ? layer.timeRange.duration : min(layer.timeRange.duration, repetition)
        timeRange = TimeRange(start: layer.timeRange.start, duration: duration)
        let played = min(duration, repetition) * speed
        sourceRange = TimeRange(start: isReversed ? range.end - played : range.start, duration: played)
    }

    var timing: SourceTiming {
        SourceTiming(
            timelineStart: timeRange.start, sourceStart: isReversed ? sourceRange.end : sourceRange.start,
            rate: isReversed ? -speed : speed, loop: isLooped ? sourceRange : nil, fields: fields)
    }

    /// Each repetition within a range: its time and its source range. The last repetition may be cut short.
    func repetitions(during bounds: TimeRange) -> [(timeRange: TimeRange, sourceRange: TimeRange)] {
        let length = sourceRange.duration / speed
        var repetitions: [(TimeRange, TimeRange)] = []
        var start = timeRange.start
        // Skips the repetitions that end before the range begins.
        if bounds.start > start { start += length * Rational(((bounds.start - start) / length).floor) }
        while start < min(timeRange.end, bounds.end) {
            let duration = min(length, timeRange.end - start)
            let played = duration * speed
            let from = isReversed ? sourceRange.end - played : sourceRange.start
            repetitions.append((TimeRange(start: start, duration: duration), TimeRange(start: from, duration: played)))
            start += length
        }
        return repetitions
    }
}

extension [DraftLayer] {
    /// The layers from the bottom to the top.
    var drawingOrder: [DraftLayer] {
        enumerated().sorted { ($0.element.layerLevel ?? 0, $0.offset) < ($1.element.layerLevel ?? 0, $1.offset) }.map(\.element)
    }
}

extension RGBAColor {
    init(_ color: Color) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
