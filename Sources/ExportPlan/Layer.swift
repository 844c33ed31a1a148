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
        /// Two full-frame stacks, one passing into the other.
        case transition(Transition)
    }

    public var content: Content
    /// Where the picture lands. Nil for content that always covers the canvas (solid, transition).
    public var placement: Placement?
    /// 0...1.
    public var opacity: AnimatedValue
    /// On the picture before it is drawn, in order; nil where there are none.
    public var operations: [Operation]?

    public init(
        content: Content, placement: Placement? = nil, opacity: AnimatedValue = .constant(1), operations: [Operation]? = nil
    ) {
        self.content = content
        self.placement = placement
        self.opacity = opacity
        self.operations = operations
    }
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
        return (frame - frames.lowerBound, frames.count)
    }
}

extension Layer {
    /// The same layer with everything that depends on time `offset` later.
    public func shifted(by offset: MediaTime) -> Layer {
        var result = self
        result.opacity = opacity.shifted(by: offset)
        result.operations = operations?.map { $0.shifted(by: offset) }
        switch content {
        case .solid, .still:
            break
        case .video(let source, let timing):
            result.content = .video(source: source, timing: timing.rebased(by: offset))
        case .blurred(let layer, let deviation):
            result.content = .blurred(layer: layer.shifted(by: offset), deviation: deviation)
        case .transition(var transition):
            transition.timeRange = transition.timeRange.shifted(by: offset)
            transition.from = transition.from.map { $0.shifted(by: offset) }
            transition.to = transition.to.map { $0.shifted(by: offset) }
            result.content = .transition(transition)
        }
        return result
    }

    /// The same layer for a stretch of time, without anything that does not matter there.
    public func restricted(to range: TimeRange) -> Layer {
        var result = self
        result.opacity = opacity.restricted(to: range)
        result.operations = operations?.map { $0.restricted(to: range) }
        switch content {
        case .solid, .still, .video: break
        case .blurred(let layer, let deviation):
            result.content = .blurred(layer: layer.restricted(to: range), deviation: deviation)
        case .transition(var transition):
            transition.from = transition.from.map { $0.restricted(to: range) }
            transition.to = transition.to.map { $0.restricted(to: range) }
            result.content = .transition(transition)
        }
        return result
    }

    /// Content hashes of every source in it.
    public var sources: Set<String> {
        switch content {
        case .solid: []
        case .video(let source, _), .still(let source): [source]
        case .blurred(let layer, _): layer.sources
        case .transition(let transition):
            (transition.from + transition.to + (transition.map?.picture ?? [])).reduce(into: []) { $0.formUnion($1.sources) }
        }
    }

    /// Every moving source in it, with the stretch that plays.
    public var playedSources: [(source: String, timing: SourceTiming)] {
        switch content {
        case .solid, .still: []
        case .video(let source, let timing): [(source, timing)]
        case .blurred(let layer, _): layer.playedSources
        case .transition(let transition): (transition.from + transition.to).flatMap(\.playedSources)
        }
    }
}
