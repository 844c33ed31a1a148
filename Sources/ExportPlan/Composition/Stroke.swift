/// A line along an outline, with half of its width on either side and round corners.
package struct Stroke: Hashable, Sendable, Codable {
    package var color: RGBAColor
    /// Canvas pixels, 0 or more.
    package var width: Double

    package init(color: RGBAColor, width: Double) {
        self.color = color
        self.width = width
    }
}
