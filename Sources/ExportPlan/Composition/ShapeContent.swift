package import Vocabulary

/// A shape as a layer draws it. All lengths are canvas pixels; every shape lies in a box of its width and height.
package struct ShapeContent: Hashable, Sendable, Codable {
    package enum Outline: Hashable, Sendable, Codable {
        /// - Parameter cornerRadius: 0 or more; at most half of the shorter side is drawn.
        case rect(width: Double, height: Double, cornerRadius: Double)
        /// The largest ellipse in the box.
        case ellipse(width: Double, height: Double)
        /// The `d` attribute of an SVG path, in pixels from the box's top left corner. Parts outside of the box are
        /// drawn, too. Points with a nonzero winding number are inside.
        case path(data: String, width: Double, height: Double)
    }

    /// The paths that an outline of the kind `path` turns into.
    package struct Morph: Hashable, Sendable, Codable {
        /// SVG path data with the segments of the outline's own path.
        package var paths: [String]
        /// How far: 0 is the outline's own path, 1 the first of these, and between them every point is on a straight line.
        package var place: Double

        package init(_ paths: [String], place: Double) {
            self.paths = paths
            self.place = place
        }
    }

    package var outline: Outline
    package var morph: Morph?
    package var fill: RGBAColor?
    /// The gradient of the fill over the shape's box; where it is given, `fill` is not used.
    package var gradient: Gradient?
    /// The stroke, drawn on top of the fill.
    package var stroke: Stroke?
    /// The numbers that change over time; nil where none does.
    package var numbers: [ShapeNumber: AnimatedValue]?

    package init(outline: Outline, fill: RGBAColor? = nil, stroke: Stroke? = nil, gradient: Gradient? = nil) {
        self.outline = outline
        self.fill = fill
        self.stroke = stroke
        self.gradient = gradient
    }
}
