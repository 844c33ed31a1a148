public import ExactTime
public import Vocabulary

/// A rectangle of the canvas that a picture is fitted into, before its transform's scale counts, when it changes over time.
public struct LayerFit: Hashable, Sendable, Codable {
    /// Canvas pixels, as the others.
    public var x: AnimatedValue
    public var y: AnimatedValue
    public var width: AnimatedValue
    public var height: AnimatedValue
    public var mode: ScalingMode
    /// Whether the picture lies in its middle, where the transform gives no other place.
    public var placesX: Bool
    public var placesY: Bool

    public init(
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

    /// Canvas pixels per pixel of a picture. Curves that overshoot make nothing smaller than nothing.
    public func scale(ofWidth width: Double, height: Double, at time: MediaTime) -> (x: Double, y: Double) {
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
