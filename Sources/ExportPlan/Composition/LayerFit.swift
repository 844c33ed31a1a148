package import ExactTime
package import Vocabulary

/// A rectangle of the canvas, changing over time, that a picture is fitted into before its transform's scale applies.
package struct LayerFit: Hashable, Sendable, Codable {
    /// The left edge in canvas pixels; the other three use the same unit.
    package var x: AnimatedValue
    package var y: AnimatedValue
    package var width: AnimatedValue
    package var height: AnimatedValue
    package var mode: ScalingMode
    /// Whether the picture is centred in the rectangle horizontally, because the transform gives no other position.
    package var placesX: Bool
    package var placesY: Bool

    package init(
        x: AnimatedValue, y: AnimatedValue, width: AnimatedValue, height: AnimatedValue, mode: ScalingMode, placesX: Bool,
        placesY: Bool
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.mode = mode
        self.placesX = placesX
        self.placesY = placesY
    }

    /// Canvas pixels per picture pixel. Negative sizes of curves that overshoot count as 0.
    package func scale(ofWidth width: Double, height: Double, at time: MediaTime) -> (x: Double, y: Double) {
        mode.scale(max(0, self.width.value(at: time)) / width, max(0, self.height.value(at: time)) / height) ?? (1, 1)
    }

    func map(_ change: (AnimatedValue) -> AnimatedValue) -> LayerFit {
        LayerFit(
            x: change(x), y: change(y), width: change(width), height: change(height), mode: mode, placesX: placesX,
            placesY: placesY)
    }

    var values: [AnimatedValue] { [x, y, width, height] }

    /// The same rectangle on a canvas of another size.
    func scaled(by horizontal: Double, _ vertical: Double) -> LayerFit {
        LayerFit(
            x: x.scaled(by: horizontal), y: y.scaled(by: vertical), width: width.scaled(by: horizontal),
            height: height.scaled(by: vertical), mode: mode, placesX: placesX, placesY: placesY)
    }
}
