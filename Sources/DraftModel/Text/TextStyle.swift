package import Vocabulary

/// A text and its style; lengths are in pixels of `videoSize`.
package struct TextStyle: Hashable, Sendable, Encodable {
    /// The box that the text is wrapped into.
    package struct Box: Hashable, Sendable, Encodable {
        package var width: Double?
        /// The height of the box. Lines below it are cut off.
        package var height: Double?
    }

    package struct Shadow: Hashable, Sendable, Encodable {
        package var color: Color
        package var offset: Transform.Pair?
        /// Standard deviation of the blur.
        package var blur: Double?
    }

    package struct BackgroundBox: Hashable, Sendable, Encodable {
        package var color: Color
        package var padding: Double?
        package var cornerRadius: Double?
    }

    package var text: String
    /// A Pango font description whose size is in pixels: `Sans Bold 64`.
    package var font: String?
    package var color: Color?
    /// Fills the letters instead of the colour.
    package var gradient: GradientStyle?
    package var align: TextAlignment?
    package var box: Box?
    /// The line spacing as a multiple of the font's own; 1 by default.
    package var lineSpacing: Double?
    package var letterSpacing: Double?
    package var stroke: LineStyle?
    package var shadow: Shadow?
    package var backgroundBox: BackgroundBox?
    package var animation: TextAnimationStyle?

    package init(text: String, font: String? = nil) {
        self.text = text
        self.font = font
    }
}

/// A stroke along an outline.
package struct LineStyle: Hashable, Sendable, Encodable {
    package var color: Color
    /// The width in pixels of `videoSize`.
    package var width: Double
}

/// A drawn shape; lengths are in pixels of `videoSize`.
package struct ShapeStyle: Hashable, Sendable, Encodable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case rect, ellipse, path }

    package var shape: Kind
    package var width: Double
    package var height: Double
    /// The radius of a rectangle's corners.
    package var cornerRadius: Double?
    /// The outline of a path, as SVG path data.
    package var path: String?
    package var fill: Color?
    /// Fills the shape instead of the colour.
    package var gradient: GradientStyle?
    package var stroke: LineStyle?
}

extension TextStyle {
    init?(_ reader: inout ObjectReader) {
        let text = reader.longText("text", required: true, atMost: DraftLimits.textBytes)
        font = reader.string("font")
        color = reader.color("color")
        gradient = reader.gradient(insteadOf: "color")
        align = reader.choice("align", TextAlignment.self)
        box = reader.object("box") { box in
            Box(
                width: box.double("width", in: TextNumber.boxWidth.range),
                height: box.double("height", in: TextNumber.boxHeight.range))
        }
        lineSpacing = reader.double("lineSpacing", in: TextNumber.lineSpacing.range)
        letterSpacing = reader.double("letterSpacing", in: TextNumber.letterSpacing.range)
        stroke = reader.object("stroke") { LineStyle(&$0) }
        shadow = reader.object("shadow") { Shadow(&$0) }
        backgroundBox = reader.object("backgroundBox") { BackgroundBox(&$0) }
        animation = reader.object("animation") { TextAnimationStyle(&$0) }
        self.text = text ?? ""
        guard text != nil else { return nil }
    }
}

extension TextStyle.Shadow {
    init?(_ reader: inout ObjectReader) {
        let color = reader.color("color", required: true)
        offset = reader.object("offset") { offset in
            Transform.Pair(
                x: offset.double("x", in: TextNumber.shadowX.range), y: offset.double("y", in: TextNumber.shadowY.range))
        }
        blur = reader.double("blur", in: TextNumber.shadowBlur.range)
        guard let color else { return nil }
        self.color = color
    }
}

extension TextStyle.BackgroundBox {
    init?(_ reader: inout ObjectReader) {
        let color = reader.color("color", required: true)
        padding = reader.double("padding", in: TextNumber.padding.range)
        cornerRadius = reader.double("cornerRadius", in: TextNumber.cornerRadius.range)
        guard let color else { return nil }
        self.color = color
    }
}

extension LineStyle {
    init?(_ reader: inout ObjectReader) {
        let color = reader.color("color", required: true)
        let width = reader.double("width", in: ShapeNumber.strokeWidth.range, required: true)
        guard let color, let width else { return nil }
        self.init(color: color, width: width)
    }
}

extension ShapeStyle {
    private enum CodingKeys: String, CodingKey { case shape, size, cornerRadius, path, fill, gradient, stroke }
    private enum SizeKeys: String, CodingKey { case width, height }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(shape, forKey: .shape)
        var size = container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
        try size.encode(width, forKey: .width)
        try size.encode(height, forKey: .height)
        try container.encodeIfPresent(cornerRadius, forKey: .cornerRadius)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(fill, forKey: .fill)
        try container.encodeIfPresent(gradient, forKey: .gradient)
        try container.encodeIfPresent(stroke, forKey: .stroke)
    }

    init?(_ reader: inout ObjectReader) {
        let shape = reader.choice("shape", Kind.self, required: true)
        var size: (width: Double, height: Double)?
        _ = reader.object("size", required: true) { reader -> Bool? in
            let width = reader.double("width", in: ShapeNumber.width.range, required: true)
            let height = reader.double("height", in: ShapeNumber.height.range, required: true)
            if let width, let height { size = (width, height) }
            return nil
        }
        cornerRadius = reader.double("cornerRadius", in: ShapeNumber.cornerRadius.range)
        path = reader.longText("path", required: shape == .path, atMost: DraftLimits.shapePathBytes)
        fill = reader.color("fill")
        gradient = reader.gradient(insteadOf: "fill")
        stroke = reader.object("stroke") { LineStyle(&$0) }
        if let shape, shape != .rect { reader.refuse(["cornerRadius"], "belongs to the shape 'rect'") }
        if let shape, shape != .path { reader.refuse(["path"], "belongs to the shape 'path'") }
        guard let shape, let size else { return nil }
        (self.shape, width, height) = (shape, size.width, size.height)
    }
}

extension ObjectReader {
    /// Reads a text that counts towards the limit on all texts of the draft.
    mutating func longText(_ name: String, required: Bool, atMost limit: Int) -> String? {
        guard let text = string(name, required: required, atMost: limit), count(.textBytes, text.utf8.count, at: name) else {
            return nil
        }
        return text
    }
}
