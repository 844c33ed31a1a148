package import ExactTime
package import Vocabulary

/// The part of a layer's picture that is seen, where it changes over time. Everything outside is not drawn; the rest
/// has the size of the crop and is placed by the layer's transform.
///
/// Nothing in it is rounded, because a slow move would jump or shimmer otherwise.
package struct LayerCrop: Hashable, Sendable, Codable {
    /// A rectangle of the canvas that the crop is fitted into before the transform's scale applies.
    package struct Fit: Hashable, Sendable, Codable {
        /// Canvas pixels.
        package var width: Double
        /// Canvas pixels.
        package var height: Double
        package var mode: ScalingMode

        package init(width: Double, height: Double, mode: ScalingMode) {
            self.width = width
            self.height = height
            self.mode = mode
        }
    }

    /// A rectangle of the picture at one time.
    package struct Area: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// The left edge, in pixels of the upright picture; the other three use the same unit.
    package var x: AnimatedValue
    package var y: AnimatedValue
    package var width: AnimatedValue
    package var height: AnimatedValue
    /// Nil where only the transform's scale decides how large the crop is drawn.
    package var fit: Fit?

    package init(x: AnimatedValue, y: AnimatedValue, width: AnimatedValue, height: AnimatedValue, fit: Fit? = nil) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.fit = fit
    }

    /// The rectangle that is seen at one time. It is clamped to the picture where a curve overshoots, and is at least
    /// one pixel wide and high.
    /// - Parameters:
    ///   - full: the width of the picture in its own pixels.
    ///   - fullHeight: the height of the picture in its own pixels.
    package func area(at time: MediaTime, width full: Double, height fullHeight: Double) -> Area {
        func side(_ start: AnimatedValue, _ length: AnimatedValue, _ limit: Double) -> (start: Double, length: Double) {
            let length = min(max(length.value(at: time), 1), limit)
            return (min(max(start.value(at: time), 0), limit - length), length)
        }
        let (across, down) = (side(x, width, full), side(y, height, fullHeight))
        return Area(x: across.start, y: down.start, width: across.length, height: down.length)
    }

    /// Canvas pixels per picture pixel after the area is fitted; 1 where it is not fitted.
    package func scale(of area: Area) -> (x: Double, y: Double) {
        fit.flatMap { $0.mode.scale($0.width / area.width, $0.height / area.height) } ?? (1, 1)
    }

    func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> LayerCrop {
        LayerCrop(x: change(x), y: change(y), width: change(width), height: change(height), fit: fit)
    }

    /// Whether the crop is the same at all times.
    package var isStill: Bool { [x, y, width, height].allSatisfy { $0.constantValue != nil } }
}
