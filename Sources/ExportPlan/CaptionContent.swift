public import ExactTime
public import Vocabulary

/// A file of captions as a layer draws it: burned in, each caption while the file says so.
public struct CaptionContent: Hashable, Sendable, Codable {
    /// How captions look whose file does not say it. All lengths are pixels of `layoutSize`.
    public struct Look: Hashable, Sendable, Codable {
        /// A filled rectangle behind the lines of a caption.
        public struct Box: Hashable, Sendable, Codable {
            public var color: RGBAColor
            /// How far it sticks out on every side, 0 or more.
            public var padding: Double

            public init(color: RGBAColor, padding: Double) {
                self.color = color
                self.padding = padding
            }
        }

        /// A Pango font description; its size is the height of an em in pixels: "Sans Bold 48".
        public var font: String
        public var color: RGBAColor
        /// Around every character, below its filling.
        public var stroke: Stroke?
        public var backgroundBox: Box?
        /// Of lines, and where they stand from left to right.
        public var alignment: TextAlignment
        public var verticalAlignment: VerticalAlignment
        /// From the left and the right edge of the frame: lines wrap here.
        public var marginX: Int
        /// From the edge at which captions stand.
        public var marginY: Int

        public init(
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
    public var source: String
    /// The timeline time at which time 0 of the file stands.
    public var start: MediaTime
    /// Of the picture: the canvas, or the frame of the group that the layer is in.
    public var size: FrameSize
    /// What lengths are measured in, spread over `size`.
    public var layoutSize: FrameSize
    /// Nil where the file has styles of its own.
    public var look: Look?
    /// The font files that they are drawn with, all of them; others are refused. Nil where nobody has asked.
    public var fonts: [FontFile]?

    public init(
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
