/// A line along an outline, with half of its width on either side and round corners.
package struct Stroke: Hashable, Sendable, Codable {
    package var color: RGBAColor
    /// Canvas pixels, 0 or more.
    package var width: Double
    /// The part of the outline that is drawn, of a shape; nil for all of it.
    package var trim: Trim?

    package init(color: RGBAColor, width: Double, trim: Trim? = nil) {
        self.color = color
        self.width = width
        self.trim = trim
    }
}

/// A part of an outline, in fractions of its whole length; outlines with several parts are followed one after the other.
package struct Trim: Hashable, Sendable, Codable {
    /// 0...1.
    package var start: Double
    /// 0...1; nothing is drawn unless it is above the start.
    package var end: Double
    /// Moves the part along the outline. What goes beyond its end continues at its beginning.
    package var offset: Double

    package init(start: Double = 0, end: Double = 1, offset: Double = 0) {
        self.start = start
        self.end = end
        self.offset = offset
    }
}
