/// A line along an outline, half of its width on either side. Its corners are round.
public struct Stroke: Hashable, Sendable, Codable {
    public var color: RGBAColor
    /// Canvas pixels, 0 or more.
    public var width: Double

    public init(color: RGBAColor, width: Double) {
        self.color = color
        self.width = width
    }
}
