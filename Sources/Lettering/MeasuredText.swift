/// A text as a picture, and where its letters stand in it: for what puts texts of its own beside another library's.
public struct MeasuredText: Sendable {
    public var picture: DrawnPicture
    /// How far the next letter would stand to the right, in pixels.
    public var width: Double
    /// Of the first line, in pixels below the upper edge of the text's box.
    public var baseline: Double
}
