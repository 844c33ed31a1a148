public import ExactTime
public import Vocabulary

/// One picture of a stack, drawn bottom to top. A layer says what is drawn, where, and how strongly; it knows no clips.
public struct Layer: Hashable, Sendable, Codable {
    /// What is drawn.
    public indirect enum Content: Hashable, Sendable, Codable {
        case solid(color: RGBAColor)
        /// A moving source; the frame at an instant follows from the timing.
        case video(source: String, timing: SourceTiming)
        /// A source's first picture, at all times.
        case still(source: String)
        /// Another layer's picture, blurred by a Gaussian of this standard deviation in canvas pixels.
        case blurred(layer: Layer, deviation: Double)
        /// Lettering, in its own pixels.
        case text(TextContent)
        /// A drawn outline, in its own pixels.
        case shape(ShapeContent)
        /// A file of captions, in the frame that it is drawn for.
        case captions(CaptionContent)
        /// Two full-frame stacks, one passing into the other.
        case transition(Transition)
        /// Layers drawn onto a transparent frame of their own, which is then drawn as one picture.
        case group(layers: [Layer], size: FrameSize)
        /// Nothing of its own: its operations change what is below.
        case adjustment
    }

    public var content: Content
    /// When it is seen; nil is always.
    public var timeRange: TimeRange?
    /// Where the picture lands. Nil for content that always covers the canvas (solid, transition). With a `transform` only its
    /// orientation and region count.
    public var placement: Placement?
    /// Where it lands instead of the placement's rectangle.
    public var transform: LayerTransform?
    /// What of the picture is seen, where that changes; a crop that stays is the placement's region. Goes with a `transform`.
    public var crop: LayerCrop?
    /// 0...1.
    public var opacity: AnimatedValue
    /// On the picture before it is drawn, in order; nil where there are none.
    public var operations: [Operation]?
    /// What of the picture is seen, once the operations have changed it; nil is all of it.
    public var mask: LayerMask?
    /// Nil is normal.
    public var blendMode: BlendMode?

    public init(
        content: Content, timeRange: TimeRange? = nil, placement: Placement? = nil, transform: LayerTransform? = nil,
        crop: LayerCrop? = nil, opacity: AnimatedValue = .constant(1), operations: [Operation]? = nil, mask: LayerMask? = nil,
        blendMode: BlendMode? = nil
    ) {
        self.content = content
        self.timeRange = timeRange
        self.placement = placement
        self.transform = transform
        self.crop = crop
        self.opacity = opacity
        self.operations = operations
        self.mask = mask
        self.blendMode = blendMode
    }

    /// Whether it is seen at this time.
    public func isVisible(at time: MediaTime) -> Bool { timeRange?.contains(time) ?? true }
}

/// The passing of one full-frame stack into another over a stretch of the timeline.
public struct Transition: Hashable, Sendable, Codable {
    /// What `lumaMap` goes by.
    public struct LumaMap: Hashable, Sendable, Codable {
        /// A full-frame stack, the same at all times; its luma is the map.
        public var picture: [Layer]
        /// 0...1: how much of p the edge takes.
        public var softness: Double
        /// White first.
        public var inverted: Bool

        public init(picture: [Layer], softness: Double, inverted: Bool) {
            self.picture = picture
            self.softness = softness
            self.inverted = inverted
        }
    }

    public var kind: TransitionKind
    /// The overlap. Its frames, and with them the progress `k / N`, follow from it.
    public var timeRange: TimeRange
    /// The outgoing picture.
    public var from: [Layer]
    /// The incoming picture.
    public var to: [Layer]
    /// With the kind `lumaMap`, and only there.
    public var map: LumaMap?
    /// Whether it stands still as it is at time 0; nil is no.
    public var isHeld: Bool?

    public init(kind: TransitionKind, timeRange: TimeRange, from: [Layer], to: [Layer], map: LumaMap? = nil) {
        self.map = map
        self.kind = kind
        self.timeRange = timeRange
        self.from = from
        self.to = to
    }

    /// Frame `k` of the `N` frames that the transition covers.
    public func progress(atFrame frame: Int, of rate: FrameRate) -> (index: Int, count: Int) {
        let frames = rate.frames(in: timeRange)
        return ((isHeld == true ? 0 : frame) - frames.lowerBound, frames.count)
    }

    fileprivate func retimed(_ change: Retiming) -> Transition {
        guard isHeld != true else { return self }
        var result = self
        switch change {
        case .line: result.timeRange = timeRange.retimed(change) ?? timeRange
        case .held(let instant):
            result.timeRange = timeRange.shifted(by: -instant)
            result.isHeld = true
        }
        return result
    }
}

extension Layer {
    /// The layers that this one is made of.
    private var parts: [Layer] {
        let drawn: [Layer] =
            switch content {
            case .solid, .video, .still, .text, .shape, .captions, .adjustment: []
            case .blurred(let layer, _): [layer]
            case .transition(let transition): transition.from + transition.to + (transition.map?.picture ?? [])
            case .group(let layers, _): layers
            }
        return drawn + (mask?.layers ?? [])
    }

    /// When it and the layers that it is made of are seen, as far as that is not always.
    public var timeRanges: [TimeRange] { (timeRange.map { [$0] } ?? []) + parts.flatMap(\.timeRanges) }

    /// The same layer with other values and, in its parts, other layers.
    private func mapping(_ value: (AnimatedValue) -> AnimatedValue, parts: ([Layer]) -> [Layer]) -> Layer {
        var result = self
        result.opacity = value(opacity)
        result.operations = operations?.map { $0.mapValues(value) }
        result.transform = transform?.mapValues(value)
        result.crop = crop?.mapValues(value)
        result.mask = mask?.mapping(value, layers: parts)
        switch content {
        case .solid, .still, .video, .captions, .adjustment:
            break
        case .text(let text):
            result.content = .text(text.mapNumbers(value))
        case .shape(let shape):
            result.content = .shape(shape.mapNumbers(value))
        case .blurred(let layer, let deviation):
            if let part = parts([layer]).first { result.content = .blurred(layer: part, deviation: deviation) }
        case .transition(var transition):
            transition.from = parts(transition.from)
            transition.to = parts(transition.to)
            result.content = .transition(transition)
        case .group(let layers, let size):
            result.content = .group(layers: parts(layers), size: size)
        }
        return result
    }

    /// A layer with a transform as it is placed on a canvas of another size.
    public func scaled(by x: Double, _ y: Double) -> Layer {
        var result = self
        result.transform = transform?.scaled(by: x, y, scalesPicture: crop?.fit == nil)
        if let fit = crop?.fit {
            result.crop?.fit = LayerCrop.Fit(width: fit.width * x, height: fit.height * y, mode: fit.mode)
        }
        return result
    }

    /// The same layer with everything that depends on time `offset` later.
    public func shifted(by offset: MediaTime) -> Layer { retimed(.shift(by: offset)) }

    /// The same layer with everything that depends on time at other times. What is held has to be seen at that instant, and is seen
    /// always then.
    /// - Precondition: lettering is only ever moved: nothing on the main track is written, and nothing else changes its speed.
    public func retimed(_ change: Retiming) -> Layer {
        var result = mapping({ $0.retimed(change) }, parts: { $0.map { $0.retimed(change) } })
        result.timeRange = timeRange?.retimed(change)
        result.operations = operations?.map { $0.retimed(change) }
        switch result.content {
        case .video(let source, let timing):
            result.content = .video(source: source, timing: timing.retimed(change))
        case .transition(let transition):
            result.content = .transition(transition.retimed(change))
        case .text(let text):
            result.content = .text(text.shifted(by: Layer.offset(change)))
        case .captions(var captions):
            captions.start += Layer.offset(change)
            result.content = .captions(captions)
        case .solid, .still, .shape, .blurred, .group, .adjustment:
            break
        }
        return result
    }

    private static func offset(_ change: Retiming) -> MediaTime {
        guard let offset = change.offset else { preconditionFailure("lettering keeps its speed") }
        return offset
    }

    /// The same layer for a stretch of time, without anything that does not matter there.
    /// - Returns: nil when it is not seen then.
    public func restricted(to range: TimeRange) -> Layer? {
        let seen = timeRange.map(range.intersection) ?? range
        guard !seen.isEmpty else { return nil }
        var result = mapping({ $0.restricted(to: range) }, parts: { $0.compactMap { $0.restricted(to: range) } })
        result.timeRange = seen == range ? nil : seen
        if case .text(let text) = result.content { result.content = .text(text.restricted(to: range)) }
        return result
    }

    /// Content hashes of every source in it, of what its operations read and of the fonts that it is drawn with.
    public var sources: Set<String> {
        var found = parts.reduce(into: Set((operations ?? []).compactMap(\.source))) { $0.formUnion($1.sources) }
        switch content {
        case .video(let source, _), .still(let source): found.insert(source)
        case .captions(let captions): found.formUnion([captions.source] + (captions.fonts ?? []).map(\.contentHash))
        case .text(let text): found.formUnion((text.fonts ?? []).map(\.contentHash))
        case .solid, .shape, .blurred, .transition, .group, .adjustment: break
        }
        return found
    }

    /// Every moving source in it, with the stretch that plays.
    public var playedSources: [(source: String, timing: SourceTiming)] {
        if case .video(let source, let timing) = content { return [(source, timing)] }
        return parts.flatMap(\.playedSources)
    }
}
