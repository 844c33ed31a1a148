package import ExportPlan

/// A picture with alpha and its position relative to a box. The box of a text or shape lies somewhere in the picture,
/// because strokes, shadows and overhanging letters extend beyond it.
package struct DrawnPicture: Hashable, Sendable {
    /// A position in whole pixels, to the right and down.
    package struct Place: Hashable, Sendable {
        package var x: Int
        package var y: Int

        package init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    package var width: Int
    package var height: Int
    /// Rows from the top, `width * 4` bytes each, without gaps: red, green and blue (premultiplied by alpha), then
    /// alpha.
    package var pixels: [UInt8]
    /// The position of the box's top left corner in this picture; it may lie outside.
    package var origin: Place
    /// The size in whole pixels of the area that the box touches.
    package var boxSize: FrameSize
    /// The box's own width, which need not be whole.
    package var boxWidth: Double
    package var boxHeight: Double

    package init(width: Int, height: Int, pixels: [UInt8], origin: Place, boxSize: FrameSize) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.origin = origin
        self.boxSize = boxSize
        (boxWidth, boxHeight) = (Double(boxSize.width), Double(boxSize.height))
    }
}
