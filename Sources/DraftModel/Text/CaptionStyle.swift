package import Vocabulary

/// The style of captions whose file has no styles; lengths are in pixels of `videoSize`. Fields with the same meaning
/// as in a text have the same names.
package struct CaptionStyle: Hashable, Sendable, Encodable {
    /// A Pango font description whose size is in pixels: `Sans Bold 48`.
    package var font: String?
    package var color: Color?
    /// The outline; by default black and 4 pixels wide, or none if there is a box.
    package var stroke: LineStyle?
    /// A box with square corners behind the lines of a caption.
    package var backgroundBox: TextStyle.BackgroundBox?
    /// The alignment; `justified` is not allowed.
    package var align: TextAlignment?
    package var verticalAlign: VerticalAlignment?
    /// The distances from the left and right edges of the frame, and from its top or bottom.
    package var margin: Margin?

    package struct Margin: Hashable, Sendable, Encodable {
        package var x: Int?
        package var y: Int?

        package init(x: Int? = nil, y: Int? = nil) {
            self.x = x
            self.y = y
        }
    }

    package init() {}
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
