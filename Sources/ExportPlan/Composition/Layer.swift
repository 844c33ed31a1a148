package import ExactTime
package import Vocabulary

/// One picture of a stack that is drawn from bottom to top. A layer says what is drawn, where, and how opaquely; it
/// does not know of clips.
package struct Layer: Hashable, Sendable, Codable {
    /// What is drawn.
    package indirect enum Content: Hashable, Sendable, Codable {
        case solid(color: RGBAColor)
        /// A moving source; the timing gives the frame at each instant.
        case video(source: String, timing: SourceTiming)
        /// A source's first picture, shown at all times.
        case still(source: String)
        /// Another layer's picture, blurred by a Gaussian whose standard deviation is given in canvas pixels.
        case blurred(layer: Layer, deviation: Double)
        /// A text, drawn at its own size in pixels.
        case text(TextContent)
        /// A shape, drawn at its own size in pixels.
        case shape(ShapeContent)
        /// A caption file, drawn in a frame of a given size.
        case captions(CaptionContent)
        /// A picture that a plug-in draws.
        case generator(GeneratedContent)
        /// Two full-frame stacks, one of which becomes the other.
        case transition(Transition)
        /// Layers that are drawn onto a transparent frame of their own, which is then drawn as one picture.
        case group(layers: [Layer], size: FrameSize)
        /// No picture of its own: its operations change what lies below.
        case adjustment
    }

    package var content: Content
    /// When the layer is seen; nil means always.
    package var timeRange: TimeRange?
    /// Where the picture is drawn. Nil for content that always covers the canvas (solid, transition). With a
    /// `transform`, only the placement's orientation and region count.
    package var placement: Placement?
    /// A transform that replaces the placement's rectangle.
    package var transform: LayerTransform?
    /// The part of the picture that is seen, where it changes over time; a constant crop is the placement's region. A
    /// crop needs a `transform`.
    package var crop: LayerCrop?
    /// The opacity, 0...1.
    package var opacity: AnimatedValue
    /// Operations that are applied in order to the picture before it is drawn; nil where there are none.
    package var operations: [Operation]?
    /// How much of the picture is seen after the operations; nil means all of it.
    package var mask: LayerMask?
    /// Nil means normal.
    package var blendMode: BlendMode?
    /// The call of a mixer that joins what lies below with the layer's picture, in the place of a blend mode; nil for none.
    package var mixer: Operation?
    /// How the layer appears and disappears, in rising order; nil where it does so at once.
    package var transitions: [LayerTransition]?

    package init(
        content: Content, timeRange: TimeRange? = nil, placement: Placement? = nil, transform: LayerTransform? = nil,
        crop: LayerCrop? = nil, opacity: AnimatedValue = .constant(1), operations: [Operation]? = nil, mask: LayerMask? = nil,
        blendMode: BlendMode? = nil, mixer: Operation? = nil, transitions: [LayerTransition]? = nil
    ) {
        self.mixer = mixer
        self.content = content
        self.timeRange = timeRange
        self.placement = placement
        self.transform = transform
        self.crop = crop
        self.opacity = opacity
        self.operations = operations
        self.mask = mask
        self.blendMode = blendMode
        self.transitions = transitions
    }

    /// Whether the layer is seen at this time.
    package func isVisible(at time: MediaTime) -> Bool { timeRange?.contains(time) ?? true }
}

/// How one full-frame stack becomes another over a range of the timeline.
package struct Transition: Hashable, Sendable, Codable {
    /// The map of a `lumaMap` transition.
    package struct LumaMap: Hashable, Sendable, Codable {
        /// A full-frame stack that does not change over time; its luma is the map.
        package var picture: [Layer]
        /// 0...1: the part of the progress that the soft edge takes.
        package var softness: Double
        /// Whether white parts of the map change first.
        package var inverted: Bool

        package init(picture: [Layer], softness: Double, inverted: Bool) {
            self.picture = picture
            self.softness = softness
            self.inverted = inverted
        }
    }

    package var kind: TransitionKind
    /// The overlap of both clips. The transition's frames, and thus its progress `k / N`, follow from it.
    package var timeRange: TimeRange
    /// The outgoing picture.
    package var from: [Layer]
    /// The incoming picture.
    package var to: [Layer]
    /// The map of a `lumaMap` transition; nil for other kinds.
    package var map: LumaMap?
    /// The plug-in of an `externalTransition`; nil for other kinds.
    package var mixer: TransitionMixer?
    /// Whether the transition is frozen at time 0; nil means no.
    package var isHeld: Bool?

    package init(
        kind: TransitionKind, timeRange: TimeRange, from: [Layer], to: [Layer], map: LumaMap? = nil,
        mixer: TransitionMixer? = nil
    ) {
        self.map = map
        self.mixer = mixer
        self.kind = kind
        self.timeRange = timeRange
        self.from = from
        self.to = to
    }

    /// The number `k` of a frame within the `N` frames of the transition, and `N`.
    package func progress(atFrame frame: Int, of rate: FrameRate) -> (index: Int, count: Int) {
        let frames = rate.frames(in: timeRange)
        return ((isHeld == true ? 0 : frame) - frames.lowerBound, frames.count)
    }

    fileprivate func retimed(_ change: Retiming) -> Transition {
        guard isHeld != true else { return self }
        var result = self
        result.mixer = mixer?.retimed(change)
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
            case .solid, .video, .still, .text, .shape, .captions, .generator, .adjustment: []
            case .blurred(let layer, _): [layer]
            case .transition(let transition): transition.from + transition.to + (transition.map?.picture ?? [])
            case .group(let layers, _): layers
            }
        return drawn + (mask?.layers ?? []) + (transitions ?? []).flatMap { $0.map?.picture ?? [] }
    }

    /// The time ranges of the layer, of its transitions, and of the layers that it consists of, where they have one.
    package var timeRanges: [TimeRange] {
        (timeRange.map { [$0] } ?? []) + (transitions ?? []).map(\.timeRange) + parts.flatMap(\.timeRanges)
    }

    /// The same layer with changed values and, within it, changed layers.
    private func mapping(_ value: (AnimatedValue) -> AnimatedValue, parts: ([Layer]) -> [Layer]) -> Layer {
        var result = self
        result.opacity = value(opacity)
        result.operations = operations?.map { $0.mapValues(value) }
        result.mixer = mixer?.mapValues(value)
        result.transform = transform?.mapValues(value)
        result.crop = crop?.mapValues(value)
        result.mask = mask?.mapping(value, layers: parts)
        switch content {
        case .solid, .still, .video, .captions, .adjustment:
            break
        case .generator(var generated):
            generated.call = generated.call.mapValues(value)
            result.content = .generator(generated)
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

    /// The same layer on a canvas of another size; only its transform and crop are scaled.
    package func scaled(by x: Double, _ y: Double) -> Layer {
        var result = self
        result.transform = transform?.scaled(by: x, y, scalesPicture: crop?.fit == nil)
        if let fit = crop?.fit {
            result.crop?.fit = LayerCrop.Fit(width: fit.width * x, height: fit.height * y, mode: fit.mode)
        }
        return result
    }

    /// The same layer, with everything that depends on time `offset` later.
    package func shifted(by offset: MediaTime) -> Layer { retimed(.shift(by: offset)) }

    /// The same layer, with everything that depends on time at other times. A layer that is held at an instant must be
    /// seen at that instant, and is then always seen.
    /// - Precondition: texts, captions and layers with transitions of their own are only moved. The main track has
    ///   none, and nothing else changes the speed of a layer.
    package func retimed(_ change: Retiming) -> Layer {
        var result = mapping({ $0.retimed(change) }, parts: { $0.map { $0.retimed(change) } })
        result.timeRange = timeRange?.retimed(change)
        result.operations = operations?.map { $0.retimed(change) }
        result.mixer = mixer?.retimed(change)
        if let transitions {
            let offset = Layer.offset(change)
            result.transitions = transitions.map { $0.shifted(by: offset) }
        }
        switch result.content {
        case .video(let source, let timing):
            result.content = .video(source: source, timing: timing.retimed(change))
        case .generator(var generated):
            generated.timing = generated.timing.retimed(change)
            result.content = .generator(generated)
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
        guard let offset = change.offset else { preconditionFailure("texts and layers with transitions keep their speed") }
        return offset
    }

    /// The same layer during `range`, without everything that does not matter then.
    /// - Returns: nil when the layer is not seen then.
    package func restricted(to range: TimeRange) -> Layer? {
        let seen = timeRange.map(range.intersection) ?? range
        guard !seen.isEmpty else { return nil }
        var result = mapping({ $0.restricted(to: range) }, parts: { $0.compactMap { $0.restricted(to: range) } })
        result.timeRange = seen == range ? nil : seen
        let visible = transitions?.filter { !$0.timeRange.intersection(seen).isEmpty } ?? []
        result.transitions = visible.isEmpty ? nil : visible
        if case .text(let text) = result.content { result.content = .text(text.restricted(to: range)) }
        return result
    }

    /// The content hashes of all sources in the layer, of the files that its operations read, and of the fonts that it
    /// is drawn with.
    package var sources: Set<String> {
        let mixers = [mixer] + (transitions ?? []).map { $0.mixer?.call }
        let calls = (operations ?? []) + mixers.compactMap(\.self)
        var found = parts.reduce(into: Set(calls.compactMap(\.source))) { $0.formUnion($1.sources) }
        switch content {
        case .video(let source, _), .still(let source): found.insert(source)
        case .captions(let captions): found.formUnion([captions.source] + (captions.fonts ?? []).map(\.contentHash))
        case .text(let text): found.formUnion((text.fonts ?? []).map(\.contentHash))
        case .generator(let generated): if let source = generated.call.source { found.insert(source) }
        case .transition(let transition): if let source = transition.mixer?.call.source { found.insert(source) }
        case .solid, .shape, .blurred, .group, .adjustment: break
        }
        return found
    }

    /// All moving sources in the layer, with their timing.
    package var playedSources: [(source: String, timing: SourceTiming)] {
        if case .video(let source, let timing) = content { return [(source, timing)] }
        return parts.flatMap(\.playedSources)
    }
}
