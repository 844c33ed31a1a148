public import Vocabulary

/// How captions look whose file does not say it; lengths in pixels of `videoSize`. What means the same as in a text is called
/// the same.
public struct CaptionStyle: Hashable, Sendable, Encodable {
    /// A Pango font description whose size is in pixels: `Sans Bold 48`.
    public var font: String?
    public var color: Color?
    /// A thin black one by default, unless there is a box.
    public var stroke: LineStyle?
    /// Behind the lines of a caption. Its corners are square.
    public var backgroundBox: TextStyle.BackgroundBox?
    /// Not `justified`.
    public var align: TextAlignment?
    public var verticalAlign: VerticalAlignment?
    /// From the frame's edges: at the sides, and above or below.
    public var margin: Margin?

    public struct Margin: Hashable, Sendable, Encodable {
        public var x: Int?
        public var y: Int?

        public init(x: Int? = nil, y: Int? = nil) {
            self.x = x
            self.y = y
        }
    }

    public init() {}
}

extension CaptionStyle {
    init?(_ reader: inout ObjectReader) {
        font = reader.string("font")
        color = reader.color("color")
        stroke = reader.object("stroke") { LineStyle(&$0) }
        backgroundBox = reader.object("backgroundBox") { box in
            box.unsupported(
                "cornerRadius", "a box with round corners behind captions", neutral: [.number(JSONNumber(written: "0"))])
            return TextStyle.BackgroundBox(&box)
        }
        align = reader.choice("align", TextAlignment.self)
        if align == .justified { reader.report("align", .invalidValue, "captions are not justified; give left, center or right") }
        verticalAlign = reader.choice("verticalAlign", VerticalAlignment.self)
        margin = reader.object("margin") { margin in
            Margin(x: margin.integer("x", in: 0...4096), y: margin.integer("y", in: 0...4096))
        }
    }
}
