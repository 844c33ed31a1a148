public import ExportPlan

/// A picture with alpha, and where it belongs: a text's or a shape's box lies somewhere in it, as strokes, shadows and
/// overhanging letters stick out.
public struct DrawnPicture: Hashable, Sendable {
    /// A place in whole pixels, to the right and down.
    public struct Place: Hashable, Sendable {
        public var x: Int
        public var y: Int

        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    public var width: Int
    public var height: Int
    /// Rows from the top, `width * 4` bytes each, without gaps: red, green, blue (multiplied by alpha), alpha.
    public var pixels: [UInt8]
    /// Where the box's top left corner lies in this picture; it may lie outside.
    public var origin: Place
    /// The whole pixels that the box touches.
    public var boxSize: FrameSize
    /// The box's own size.
    public var boxWidth: Double
    public var boxHeight: Double

    public init(width: Int, height: Int, pixels: [UInt8], origin: Place, boxSize: FrameSize) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.origin = origin
        self.boxSize = boxSize
        (boxWidth, boxHeight) = (Double(boxSize.width), Double(boxSize.height))
    }
}
