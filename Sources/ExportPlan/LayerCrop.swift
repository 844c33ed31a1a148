public import ExactTime
public import Vocabulary

/// The part of a layer's picture that is seen, when it changes over time: what lies outside is not drawn, what is left is as large
/// as the crop, and the layer's transform places that.
///
/// Nothing in it is rounded, so that a slow move neither jumps nor shimmers.
public struct LayerCrop: Hashable, Sendable, Codable {
    /// A rectangle of the canvas that the crop is fitted into before the transform's scale counts.
    public struct Fit: Hashable, Sendable, Codable {
        /// Canvas pixels.
        public var width: Double
        /// Canvas pixels.
        public var height: Double
        public var mode: ScalingMode

        public init(width: Double, height: Double, mode: ScalingMode) {
            self.width = width
            self.height = height
            self.mode = mode
        }
    }

    /// A place in the picture at one time.
    public struct Area: Hashable, Sendable {
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double

        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Pixels of the upright picture; so are the others.
    public var x: AnimatedValue
    public var y: AnimatedValue
    public var width: AnimatedValue
    public var height: AnimatedValue
    /// Nil where the transform's scale alone says how large a pixel of it is drawn.
    public var fit: Fit?

    public init(x: AnimatedValue, y: AnimatedValue, width: AnimatedValue, height: AnimatedValue, fit: Fit? = nil) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.fit = fit
    }

    /// What is seen at one time. A curve that overshoots stays inside the picture, and at least a pixel is left.
    /// - Parameters: of the picture, in its own pixels.
    public func area(at time: MediaTime, width full: Double, height fullHeight: Double) -> Area {
        func side(_ start: AnimatedValue, _ length: AnimatedValue, _ limit: Double) -> (start: Double, length: Double) {
            let length = min(max(length.value(at: time), 1), limit)
            return (min(max(start.value(at: time), 0), limit - length), length)
        }
        let (across, down) = (side(x, width, full), side(y, height, fullHeight))
        return Area(x: across.start, y: down.start, width: across.length, height: down.length)
    }

    /// Canvas pixels per pixel of an area, once it is fitted; 1 where it is not.
    public func scale(of area: Area) -> (x: Double, y: Double) {
        fit.flatMap { $0.mode.scale($0.width / area.width, $0.height / area.height) } ?? (1, 1)
    }

    func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> LayerCrop {
        LayerCrop(x: change(x), y: change(y), width: change(width), height: change(height), fit: fit)
    }

    /// Whether it is the same at all times.
    public var isStill: Bool { [x, y, width, height].allSatisfy { $0.constantValue != nil } }
}
