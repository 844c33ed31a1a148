package import ExactTime

/// Where a layer's picture is drawn when it is moved, scaled or rotated freely: it is scaled and rotated clockwise
/// about its anchor, and the anchor lands at `position`.
///
/// A point (u, v) of the picture, in its own upright pixels after cropping, lands at
/// `position + R(rotation) * S(scale) * ((u, v) - anchor * size)`.
package struct LayerTransform: Hashable, Sendable, Codable {
    /// Two numbers, each of which may change over time.
    package struct Pair: Hashable, Sendable, Codable {
        package var x: AnimatedValue
        package var y: AnimatedValue

        package init(x: AnimatedValue, y: AnimatedValue) {
            self.x = x
            self.y = y
        }

        func map(_ change: (AnimatedValue) -> AnimatedValue) -> Pair { Pair(x: change(x), y: change(y)) }
    }

    /// A convex quadrilateral, in canvas pixels.
    package struct Corners: Hashable, Sendable, Codable {
        package var topLeft: Pair
        package var topRight: Pair
        package var bottomRight: Pair
        package var bottomLeft: Pair

        package init(topLeft: Pair, topRight: Pair, bottomRight: Pair, bottomLeft: Pair) {
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

    /// Where the anchor lands, in canvas pixels from the top left corner.
    package var position: Pair
    /// The anchor, as fractions of the picture's width and height.
    package var anchor: Pair
    /// Canvas pixels per picture pixel; a negative scale mirrors the picture.
    package var scale: Pair
    /// The angle in degrees clockwise.
    package var rotation: AnimatedValue
    /// Where the picture's corners land in a perspective projection; the properties above are ignored then.
    package var corners: Corners?
    /// The rectangle that the picture is fitted into, where it is animated; a constant one is part of position and
    /// scale.
    package var fit: LayerFit?

    package init(
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
    package func place(at time: MediaTime) -> (x: Double, y: Double) {
        var place = (x: position.x.value(at: time), y: position.y.value(at: time))
        guard let fit else { return place }
        if fit.placesX { place.x = fit.x.value(at: time) + fit.width.value(at: time) / 2 }
        if fit.placesY { place.y = fit.y.value(at: time) + fit.height.value(at: time) / 2 }
        return place
    }

    /// The same transform on a canvas of another size.
    /// - Parameter scalesPicture: whether `scale` changes with the canvas. It does not for a picture that is fitted,
    ///   because it is fitted again.
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

    /// Whether the transform is the same at all times.
    package var isStill: Bool {
        let own = [position.x, position.y, anchor.x, anchor.y, scale.x, scale.y, rotation]
        return (own + (corners?.values ?? []) + (fit?.values ?? [])).allSatisfy { $0.constantValue != nil }
    }
}
