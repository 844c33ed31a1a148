public import Vocabulary

/// How a text looks; lengths in pixels of `videoSize`.
public struct TextStyle: Hashable, Sendable, Encodable {
    /// What the text is wrapped to.
    public struct Box: Hashable, Sendable, Encodable {
        public var width: Double?
        /// What is higher is cut.
        public var height: Double?
    }

    public struct Shadow: Hashable, Sendable, Encodable {
        public var color: Color
        public var offset: Transform.Pair?
        /// Standard deviation of the blur.
        public var blur: Double?
    }

    public struct BackgroundBox: Hashable, Sendable, Encodable {
        public var color: Color
        public var padding: Double?
        public var cornerRadius: Double?
    }

    public var text: String
    /// A Pango font description whose size is in pixels: `Sans Bold 64`.
    public var font: String?
    public var color: Color?
    public var align: TextAlignment?
    public var box: Box?
    /// 1 is the font's own.
    public var lineSpacing: Double?
    public var letterSpacing: Double?
    public var stroke: LineStyle?
    public var shadow: Shadow?
    public var backgroundBox: BackgroundBox?
    public var animation: TextAnimationStyle?

    public init(text: String, font: String? = nil) {
        self.text = text
        self.font = font
    }
}

/// A line along an outline.
public struct LineStyle: Hashable, Sendable, Encodable {
    public var color: Color
    /// In pixels.
    public var width: Double
}

/// A drawn outline; lengths in pixels of `videoSize`.
public struct ShapeStyle: Hashable, Sendable, Encodable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Encodable { case rect, ellipse, path }

    public var shape: Kind
    public var width: Double
    public var height: Double
    /// Of a rect.
    public var cornerRadius: Double?
    /// Of a path: SVG path data.
    public var path: String?
    public var fill: Color?
    public var stroke: LineStyle?
}

extension TextStyle {
    init?(_ reader: inout ObjectReader) {
        let text = reader.longText("text", required: true, atMost: DraftLimits.textBytes)
        font = reader.string("font")
        color = reader.color("color")
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
    private enum CodingKeys: String, CodingKey { case shape, size, cornerRadius, path, fill, stroke }
    private enum SizeKeys: String, CodingKey { case width, height }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(shape, forKey: .shape)
        var size = container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
        try size.encode(width, forKey: .width)
        try size.encode(height, forKey: .height)
        try container.encodeIfPresent(cornerRadius, forKey: .cornerRadius)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(fill, forKey: .fill)
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
        stroke = reader.object("stroke") { LineStyle(&$0) }
        if let shape, shape != .rect { reader.refuse(["cornerRadius"], "belongs to the shape 'rect'") }
        if let shape, shape != .path { reader.refuse(["path"], "belongs to the shape 'path'") }
        guard let shape, let size else { return nil }
        (self.shape, width, height) = (shape, size.width, size.height)
    }
}

extension ObjectReader {
    /// A text that counts among all texts of the draft.
    mutating func longText(_ name: String, required: Bool, atMost limit: Int) -> String? {
        guard let text = string(name, required: required, atMost: limit), count(.textBytes, text.utf8.count, at: name) else {
            return nil
        }
        return text
    }
}
