package import Vocabulary

/// A text as a layer draws it. All lengths are canvas pixels. Optional parts that are not drawn are nil.
package struct TextContent: Hashable, Sendable, Codable {
    /// The box that lines are laid out in. A side that is nil is as long as the text needs.
    package struct Box: Hashable, Sendable, Codable {
        /// The width at which lines wrap.
        package var width: Double?
        /// The height below which the text is cut off.
        package var height: Double?

        package init(width: Double? = nil, height: Double? = nil) {
            self.width = width
            self.height = height
        }
    }

    /// The shadow behind the text.
    package struct Shadow: Hashable, Sendable, Codable {
        package var color: RGBAColor
        /// The offset to the right. The shadow is moved by whole pixels, so offsets are rounded.
        package var x: Double
        /// The offset downwards.
        package var y: Double
        /// The standard deviation of the Gaussian blur, 0 or more.
        package var blur: Double

        package init(color: RGBAColor, x: Double, y: Double, blur: Double) {
            self.color = color
            self.x = x
            self.y = y
            self.blur = blur
        }
    }

    /// A filled rectangle behind the text's box.
    package struct Background: Hashable, Sendable, Codable {
        package var color: RGBAColor
        /// How far the rectangle extends beyond the box on every side, 0 or more.
        package var padding: Double
        /// 0 or more; at most half of the shorter side is drawn.
        package var cornerRadius: Double

        package init(color: RGBAColor, padding: Double, cornerRadius: Double) {
            self.color = color
            self.padding = padding
            self.cornerRadius = cornerRadius
        }
    }

    package var text: String
    /// The parts of the text with styles of their own, which together have all of its bytes; nil where it has one style.
    package var runs: [TextRun]?
    /// A Pango font description; its size is the height of an em in pixels: "Sans Bold 64".
    package var font: String
    package var color: RGBAColor
    /// The gradient of the letters over the text's box; where it is given, `color` is not used.
    package var gradient: Gradient?
    package var alignment: TextAlignment
    package var box: Box
    /// Whether the font and the letter spacing are made smaller until the text fits into the box without breaking a word;
    /// nil stands for false.
    package var fitsBox: Bool?
    /// The distance between lines as a factor of the font's own, above 0.
    package var lineSpacing: Double
    /// Space added between characters; negative values move them closer together.
    package var letterSpacing: Double
    /// The outline around every character, drawn below the character's fill.
    package var stroke: Stroke?
    package var shadow: Shadow?
    package var backgroundBox: Background?
    /// All font files that the text is drawn with; drawing with any other font fails. Nil where the fonts were not
    /// probed.
    package var fonts: [FontFile]?
    /// The animation of the text's units. Nil draws the text as a whole, which is also what it looks like once all
    /// units have arrived.
    package var animation: TextAnimation?
    /// The numbers that change over time; nil where none does.
    package var numbers: [TextNumber: AnimatedValue]?

    package init(
        text: String, font: String, color: RGBAColor, alignment: TextAlignment = .left, box: Box = Box(),
        lineSpacing: Double = 1, letterSpacing: Double = 0, stroke: Stroke? = nil, shadow: Shadow? = nil,
        backgroundBox: Background? = nil, fonts: [FontFile]? = nil, animation: TextAnimation? = nil, gradient: Gradient? = nil
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
        self.gradient = gradient
    }
}
