package import Vocabulary

/// Colours that pass into each other.
package struct Gradient: Hashable, Sendable, Codable {
    package struct Stop: Hashable, Sendable, Codable {
        package var color: RGBAColor
        /// 0...1; no stop is before the one that precedes it.
        package var location: Double

        package init(color: RGBAColor, location: Double) {
            self.color = color
            self.location = location
        }
    }

    /// A point in fractions of the box that the gradient is measured on.
    package struct Point: Hashable, Sendable, Codable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    package var kind: GradientKind
    /// One or more.
    package var stops: [Stop]
    /// Where `linear` begins; the middle of `radial` and `angular`.
    package var start: Point
    /// Where `linear` ends. The distances from the start are the two radii of `radial`. From the start towards this point
    /// `angular` begins.
    package var end: Point

    package init(_ kind: GradientKind, _ stops: [Stop], from start: Point, to end: Point) {
        self.kind = kind
        self.stops = stops
        self.start = start
        self.end = end
    }
}
