public import Vocabulary

/// A text as a layer draws it. All lengths are pixels of the canvas. What nothing is drawn of is nil.
public struct TextContent: Hashable, Sendable, Codable {
    /// Where lines end. A side that is nil is as long as the text needs.
    public struct Box: Hashable, Sendable, Codable {
        /// Lines wrap here.
        public var width: Double?
        /// What would be lower than this is cut off.
        public var height: Double?

        public init(width: Double? = nil, height: Double? = nil) {
            self.width = width
            self.height = height
        }
    }

    /// What the text throws behind it.
    public struct Shadow: Hashable, Sendable, Codable {
        public var color: RGBAColor
        /// To the right. The shadow is moved by whole pixels, the nearest ones.
        public var x: Double
        /// Downwards.
        public var y: Double
        /// Standard deviation of the Gaussian, 0 or more.
        public var blur: Double

        public init(color: RGBAColor, x: Double, y: Double, blur: Double) {
            self.color = color
            self.x = x
            self.y = y
            self.blur = blur
        }
    }

    /// A filled rectangle behind the text's box.
    public struct Background: Hashable, Sendable, Codable {
        public var color: RGBAColor
        /// How far it sticks out on every side, 0 or more.
        public var padding: Double
        /// 0 or more; half of the shorter side at most is drawn.
        public var cornerRadius: Double

        public init(color: RGBAColor, padding: Double, cornerRadius: Double) {
            self.color = color
            self.padding = padding
            self.cornerRadius = cornerRadius
        }
    }

    public var text: String
    /// A Pango font description; its size is the height of an em in pixels: "Sans Bold 64".
    public var font: String
    public var color: RGBAColor
    public var alignment: TextAlignment
    public var box: Box
    /// Distance of lines as a factor of the font's own, above 0.
    public var lineSpacing: Double
    /// Added between characters; below 0 draws them together.
    public var letterSpacing: Double
    /// Around every character, below its filling.
    public var stroke: Stroke?
    public var shadow: Shadow?
    public var backgroundBox: Background?
    /// The font files that it is drawn with; others are refused when it is drawn. Nil where nobody has asked.
    public var fonts: [FontFile]?
    /// Moves the text's units; nil, and what is drawn of the text as a whole, is where all of them have arrived.
    public var animation: TextAnimation?
    /// Those of its numbers that change over time; nil where none does.
    public var numbers: [TextNumber: AnimatedValue]?

    public init(
        text: String, font: String, color: RGBAColor, alignment: TextAlignment = .left, box: Box = Box(),
        lineSpacing: Double = 1, letterSpacing: Double = 0, stroke: Stroke? = nil, shadow: Shadow? = nil,
        backgroundBox: Background? = nil, fonts: [FontFile]? = nil, animation: TextAnimation? = nil
    ) {
        self.text = text
        self.font = font
        self.color = color
        self.alignment = alignment
        self.box = box
        self.lineSpacing = lineSpacing
        self.letterSpacing = letterSpacing
        self.stroke = stroke
        self.shadow = shadow
        self.backgroundBox = backgroundBox
        self.fonts = fonts
        self.animation = animation
    }
}
