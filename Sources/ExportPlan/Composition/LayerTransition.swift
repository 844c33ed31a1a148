package import ExactTime
package import Vocabulary

/// How a layer appears or disappears over a range of the timeline.
///
/// One picture of the transition is the layer's own on an otherwise transparent canvas, the other is a transparent
/// canvas. What the transition makes of the two is drawn with the layer's opacity and blend mode. An adjustment layer
/// has no picture of its own: its two pictures are what lies below with and without the adjustment.
package struct LayerTransition: Hashable, Sendable, Codable {
    package enum Direction: String, Hashable, Sendable, Codable {
        /// From a canvas without the layer to one with it.
        case entering
        /// From a canvas with the layer to one without it.
        case leaving
    }

    package var kind: TransitionKind
    package var direction: Direction
    /// The transition's frames, and thus its progress `k / N`, follow from this range.
    package var timeRange: TimeRange
    /// The map of a `lumaMap` transition; nil for other kinds.
    package var map: Transition.LumaMap?
    /// The plug-in of an `externalTransition`; nil for other kinds.
    package var mixer: TransitionMixer?

    package init(
        kind: TransitionKind, direction: Direction, timeRange: TimeRange, map: Transition.LumaMap? = nil,
        mixer: TransitionMixer? = nil
    ) {
        self.mixer = mixer
        self.kind = kind
        self.direction = direction
        self.timeRange = timeRange
        self.map = map
    }

    /// The number `k` of a frame within the `N` frames of the transition, and `N`.
    package func progress(atFrame frame: Int, of rate: FrameRate) -> (index: Int, count: Int) {
        let frames = rate.frames(in: timeRange)
        return (frame - frames.lowerBound, frames.count)
    }

    func shifted(by offset: MediaTime) -> LayerTransition {
        var result = self
        result.timeRange = timeRange.shifted(by: offset)
        result.mixer = mixer?.retimed(.shift(by: offset))
        return result
    }
}

extension Layer {
    /// The transition that a time lies in.
    package func transition(at time: MediaTime) -> LayerTransition? {
        transitions?.first { $0.timeRange.contains(time) }
    }
}
