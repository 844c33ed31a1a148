public import Vocabulary

/// A shape as a layer draws it. All lengths are pixels of the canvas; every shape lies in a box of its width and height.
public struct ShapeContent: Hashable, Sendable, Codable {
    public enum Outline: Hashable, Sendable, Codable {
        /// - Parameter cornerRadius: 0 or more; half of the shorter side at most is drawn.
        case rect(width: Double, height: Double, cornerRadius: Double)
        /// The largest ellipse in the box.
        case ellipse(width: Double, height: Double)
        /// An SVG path's `d`, in pixels from the box's top left corner. What sticks out of the box is drawn, too. Inside is
        /// what has a winding number other than zero.
        case path(data: String, width: Double, height: Double)
    }

    public var outline: Outline
    public var fill: RGBAColor?
    /// On top of the filling.
    public var stroke: Stroke?
    /// Those of its numbers that change over time; nil where none does.
    public var numbers: [ShapeNumber: AnimatedValue]?

    public init(outline: Outline, fill: RGBAColor? = nil, stroke: Stroke? = nil) {
        self.outline = outline
        self.fill = fill
        self.stroke = stroke
    }
}
