public import ExactTime

/// Where a layer's picture lands when it is moved, sized or turned freely: the picture is scaled about its anchor, turned
/// clockwise, and put down with the anchor at `position`.
///
/// A point (u, v) of the picture, in its own upright pixels after cropping, lands at
/// `position + R(rotation) * S(scale) * ((u, v) - anchor * size)`.
public struct LayerTransform: Hashable, Sendable, Codable {
    /// Two numbers that change together or apart.
    public struct Pair: Hashable, Sendable, Codable {
        public var x: AnimatedValue
        public var y: AnimatedValue

        public init(x: AnimatedValue, y: AnimatedValue) {
            self.x = x
            self.y = y
        }

        func map(_ change: (AnimatedValue) -> AnimatedValue) -> Pair { Pair(x: change(x), y: change(y)) }
    }

    /// A convex quadrilateral, in canvas pixels.
    public struct Corners: Hashable, Sendable, Codable {
        public var topLeft: Pair
        public var topRight: Pair
        public var bottomRight: Pair
        public var bottomLeft: Pair

        public init(topLeft: Pair, topRight: Pair, bottomRight: Pair, bottomLeft: Pair) {
            self.topLeft = topLeft
            self.topRight = topRight
            self.bottomRight = bottomRight
            self.bottomLeft = bottomLeft
        }

        func map(_ change: (Pair) -> Pair) -> Corners {
            Corners(
                topLeft: change(topLeft), topRight: change(topRight), bottomRight: change(bottomRight),
                bottomLeft: change(bottomLeft))
        }

        func map(_ change: (AnimatedValue) -> AnimatedValue) -> Corners {
            Corners(
                topLeft: topLeft.map(change), topRight: topRight.map(change), bottomRight: bottomRight.map(change),
                bottomLeft: bottomLeft.map(change))
        }

        fileprivate var values: [AnimatedValue] {
            [topLeft, topRight, bottomRight, bottomLeft].flatMap { [$0.x, $0.y] }
        }
    }

    /// Canvas pixels, from the top left corner.
    public var position: Pair
    /// Fractions of the picture.
    public var anchor: Pair
    /// Canvas pixels per picture pixel; below zero it is mirrored.
    public var scale: Pair
    /// Degrees clockwise.
    public var rotation: AnimatedValue
    /// Where the picture's corners land, as if it hung in space; what is said above does not count then.
    public var corners: Corners?
    /// What it is fitted into, where that is animated; a rectangle that stays is part of position and scale.
    public var fit: LayerFit?

    public init(
        position: Pair, anchor: Pair, scale: Pair, rotation: AnimatedValue, corners: Corners? = nil, fit: LayerFit? = nil
    ) {
        self.position = position
        self.anchor = anchor
        self.scale = scale
        self.rotation = rotation
        self.corners = corners
        self.fit = fit
    }

    /// Where the anchor lands at a time, in canvas pixels.
    public func place(at time: MediaTime) -> (x: Double, y: Double) {
        var place = (x: position.x.value(at: time), y: position.y.value(at: time))
        guard let fit else { return place }
        if fit.placesX { place.x = fit.x.value(at: time) + fit.width.value(at: time) / 2 }
        if fit.placesY { place.y = fit.y.value(at: time) + fit.height.value(at: time) / 2 }
        return place
    }

    /// The same place on a canvas of another size.
    /// - Parameter scalesPicture: whether its scale says how large a pixel is drawn; a picture that is fitted is fitted anew.
    func scaled(by x: Double, _ y: Double, scalesPicture: Bool) -> LayerTransform {
        func scaled(_ pair: Pair) -> Pair { Pair(x: pair.x.scaled(by: x), y: pair.y.scaled(by: y)) }
        var result = self
        result.position = scaled(position)
        if scalesPicture { result.scale = scaled(scale) }
        result.corners = corners?.map(scaled)
        result.fit = fit?.scaled(by: x, y)
        return result
    }

    func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> LayerTransform {
        LayerTransform(
            position: position.map(change), anchor: anchor.map(change), scale: scale.map(change), rotation: change(rotation),
            corners: corners?.map(change), fit: fit?.map(change))
    }

    /// Whether it is the same at all times.
    public var isStill: Bool {
        let own = [position.x, position.y, anchor.x, anchor.y, scale.x, scale.y, rotation]
        return (own + (corners?.values ?? []) + (fit?.values ?? [])).allSatisfy { $0.constantValue != nil }
    }
}
