package import ExactTime
package import Vocabulary

/// A caption file as a layer draws it: burned in, each caption at the times that the file gives.
package struct CaptionContent: Hashable, Sendable, Codable {
    /// The look of captions whose file has no styles. All lengths are pixels of `layoutSize`.
    package struct Look: Hashable, Sendable, Codable {
        /// A filled rectangle behind the lines of a caption.
        package struct Box: Hashable, Sendable, Codable {
            package var color: RGBAColor
            /// How far the box extends beyond the text on every side, 0 or more.
            package var padding: Double

            package init(color: RGBAColor, padding: Double) {
                self.color = color
                self.padding = padding
            }
        }

        /// A Pango font description; its size is the height of an em in pixels: "Sans Bold 48".
        package var font: String
        package var color: RGBAColor
        /// The outline around every character, drawn below the character's fill.
        package var stroke: Stroke?
        package var backgroundBox: Box?
        /// How lines are aligned, and where they stand from left to right.
        package var alignment: TextAlignment
        package var verticalAlignment: VerticalAlignment
        /// The distance from the frame's left and right edges at which lines wrap.
        package var marginX: Int
        /// The distance from the edge at which captions stand (the top or the bottom one).
        package var marginY: Int

        package init(
            font: String, color: RGBAColor, stroke: Stroke?, backgroundBox: Box?, alignment: TextAlignment,
            verticalAlignment: VerticalAlignment, marginX: Int, marginY: Int
        ) {
            self.font = font
            self.color = color
            self.stroke = stroke
            self.backgroundBox = backgroundBox
            self.alignment = alignment
            self.verticalAlignment = verticalAlignment
            self.marginX = marginX
            self.marginY = marginY
        }
    }

    /// Content hash of the file.
    package var source: String
    /// The timeline time of the file's time 0.
    package var start: MediaTime
    /// The size of the picture that captions are drawn on: the canvas, or the frame of the group that the layer is in.
    package var size: FrameSize
    /// The size in whose pixels lengths are measured; it is scaled to `size`.
    package var layoutSize: FrameSize
    /// Nil where the file has styles of its own.
    package var look: Look?
    /// All font files that the captions are drawn with; drawing with any other font fails. Nil where the fonts were not
    /// probed.
    package var fonts: [FontFile]?

    package init(
        source: String, start: MediaTime, size: FrameSize, layoutSize: FrameSize, look: Look?, fonts: [FontFile]? = nil
    ) {
        self.source = source
        self.start = start
        self.size = size
        self.layoutSize = layoutSize
        self.look = look
        self.fonts = fonts
    }
}
