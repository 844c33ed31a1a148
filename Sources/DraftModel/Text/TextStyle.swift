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

    /// The text. In JSON it stands in its `runs` where it has some.
    package var text: String
    /// The parts of the text, in order, which have styles of their own.
    package var runs: [TextRun]?
    /// A Pango font description whose size is in pixels: `Sans Bold 64`.
    package var font: String?
    package var color: Color?
    /// Fills the letters instead of the colour.
    package var gradient: GradientStyle?
    package var align: TextAlignment?
    package var box: Box?
    /// Whether the font becomes smaller until the text fits into the box.
    package var fitBox: Bool?
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
    /// For shapes: the part of the outline that is drawn.
    package var trim: TrimStyle?
}

/// A part of an outline, in fractions of its length.
package struct TrimStyle: Hashable, Sendable, Encodable {
    package var start: Double?
    package var end: Double?
    package var offset: Double?
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
    /// Paths with the same segments that the path turns into, one after the other.
    package var morphTo: [String]?
    /// How far it has: 1 is the first path of `morphTo`.
    package var morph: Double?
    package var fill: Color?
    /// Fills the shape instead of the colour.
    package var gradient: GradientStyle?
    package var stroke: LineStyle?
}

extension TextStyle {
    init?(_ reader: inout ObjectReader) {
        runs = reader.textRuns()
        let text = reader.longText("text", required: runs == nil && reader.value("runs") == nil, atMost: DraftLimits.textBytes)
        font = reader.string("font")
        color = reader.color("color")
        gradient = reader.gradient(insteadOf: "color")
        align = reader.choice("align", TextAlignment.self)
        box = reader.object("box") { box in
            Box(
                width: box.double("width", in: TextNumber.boxWidth.range),
                height: box.double("height", in: TextNumber.boxHeight.range))
        }
        fitBox = reader.bool("fitBox")
        lineSpacing = reader.double("lineSpacing", in: TextNumber.lineSpacing.range)
        letterSpacing = reader.double("letterSpacing", in: TextNumber.letterSpacing.range)
        stroke = reader.object("stroke") { LineStyle(&$0) }
        shadow = reader.object("shadow") { Shadow(&$0) }
        backgroundBox = reader.object("backgroundBox") { BackgroundBox(&$0) }
        animation = reader.object("animation") { TextAnimationStyle(&$0) }
        self.text = text ?? (runs ?? []).map(\.text).joined()
        guard text != nil || runs != nil else { return nil }
    }

    private enum CodingKeys: String, CodingKey {
        case text, runs, font, color, gradient, align, box, fitBox, lineSpacing, letterSpacing, stroke, shadow, backgroundBox
        case animation
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let runs { try container.encode(runs, forKey: .runs) } else { try container.encode(text, forKey: .text) }
        try container.encodeIfPresent(font, forKey: .font)
        try container.encodeIfPresent(color, forKey: .color)
        try container.encodeIfPresent(gradient, forKey: .gradient)
        try container.encodeIfPresent(align, forKey: .align)
        try container.encodeIfPresent(box, forKey: .box)
        try container.encodeIfPresent(fitBox, forKey: .fitBox)
        try container.encodeIfPresent(lineSpacing, forKey: .lineSpacing)
        try container.encodeIfPresent(letterSpacing, forKey: .letterSpacing)
        try container.encodeIfPresent(stroke, forKey: .stroke)
        try container.encodeIfPresent(shadow, forKey: .shadow)
        try container.encodeIfPresent(backgroundBox, forKey: .backgroundBox)
        try container.encodeIfPresent(animation, forKey: .animation)
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
    /// - Parameter hasTrim: whether a part of the outline can be drawn.
    init?(_ reader: inout ObjectReader, hasTrim: Bool = false) {
        let color = reader.color("color", required: true)
        let width = reader.double("width", in: ShapeNumber.strokeWidth.range, required: true)
        if hasTrim {
            trim = reader.object("trim") { trim in
                TrimStyle(
                    start: trim.double("start", in: ShapeNumber.trimStart.range),
                    end: trim.double("end", in: ShapeNumber.trimEnd.range),
                    offset: trim.double("offset", in: ShapeNumber.trimOffset.range))
            }
        }
        guard let color, let width else { return nil }
        (self.color, self.width) = (color, width)
    }
}

extension ShapeStyle {
    private enum CodingKeys: String, CodingKey { case shape, size, cornerRadius, path, morphTo, morph, fill, gradient, stroke }
    private enum SizeKeys: String, CodingKey { case width, height }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(shape, forKey: .shape)
        var size = container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
        try size.encode(width, forKey: .width)
        try size.encode(height, forKey: .height)
        try container.encodeIfPresent(cornerRadius, forKey: .cornerRadius)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(morphTo, forKey: .morphTo)
        try container.encodeIfPresent(morph, forKey: .morph)
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
        morphTo = reader.paths("morphTo")
        morph = reader.double("morph", in: ShapeNumber.morph.range)
        fill = reader.color("fill")
        gradient = reader.gradient(insteadOf: "fill")
        stroke = reader.object("stroke") { LineStyle(&$0, hasTrim: true) }
        if let shape, shape != .rect { reader.refuse(["cornerRadius"], "belongs to the shape 'rect'; leave it out") }
        if let shape, shape != .path { reader.refuse(["path", "morphTo", "morph"], "belongs to the shape 'path'; leave it out") }
        if let morphTo, let morph, morph > Double(morphTo.count) {
            reader.report("morph", .outOfRange, "must be 0...\(morphTo.count), the number of paths in morphTo")
        }
        if morph != nil, reader.value("morphTo") == nil {
            reader.report("morph", .conflict, "says how far the path has become those of morphTo; give these, or leave it out")
        }
        guard let shape, let size else { return nil }
        (self.shape, width, height) = (shape, size.width, size.height)
    }
}

extension ObjectReader {
    /// Reads a list of SVG path data.
    fileprivate mutating func paths(_ name: String) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else {
            report(name, .wrongType, "must be an array of SVG path data, not \(value.kind)")
            return nil
        }
        let most = DraftLimits.morphPaths
        guard !elements.isEmpty, isWithin(most, elements.count, name) else {
            if elements.isEmpty { report(name, .outOfRange, "must have 1...\(most) paths") }
            return nil
        }
        return elements.enumerated().compactMap { index, element in
            let place = "\(name)[\(index)]"
            guard let text = element.text else {
                report(place, .wrongType, "must be SVG path data, not \(element.kind)")
                return nil
            }
            guard text.utf8.count <= DraftLimits.shapePathBytes else {
                report(place, .outOfRange, "has \(text.utf8.count) bytes; \(DraftLimits.shapePathBytes) are the most")
                return nil
            }
            return count(.textBytes, text.utf8.count, at: place) ? text : nil
        }
    }

    /// Reads a text that counts towards the limit on all texts of the draft.
    mutating func longText(_ name: String, required: Bool, atMost limit: Int) -> String? {
        guard let text = string(name, required: required, atMost: limit), count(.textBytes, text.utf8.count, at: name) else {
            return nil
        }
        return text
    }
}
