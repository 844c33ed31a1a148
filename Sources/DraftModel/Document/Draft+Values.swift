import ExactTime

/// Reads the smaller values of a draft: sizes, ranges, rectangles, backgrounds and colours.
extension PixelSize {
    init?(_ reader: inout ObjectReader) {
        let width = reader.integer("width", in: 16...8192, required: true)
        let height = reader.integer("height", in: 16...8192, required: true)
        for (name, value) in [("width", width), ("height", height)] {
            if let value, value % 2 != 0 {
                reader.report(name, .invalidValue, "must be even, not \(value)")
            }
        }
        guard let width, let height else { return nil }
        self.init(width: width, height: height)
    }
}

extension TimeRange {
    init?(_ reader: inout ObjectReader) {
        let start = reader.time("start", atLeast: .zero, required: true)
        let duration = reader.time("duration", above: .zero, required: true)
        guard let start, let duration else { return nil }
        self.init(start: start, duration: duration)
    }
}

extension Rect {
    init?(_ reader: inout ObjectReader) {
        let limit = Rational(16384)
        let x = reader.rational("x", in: .zero...limit, required: true)
        let y = reader.rational("y", in: .zero...limit, required: true)
        let width = reader.rational("width", in: .zero...limit, required: true)
        let height = reader.rational("height", in: .zero...limit, required: true)
        let unit = reader.choice("unit", Unit.self)
        for (name, value) in [("width", width), ("height", height)] {
            if let value, value <= .zero { reader.report(name, .outOfRange, "must be above 0") }
        }
        guard let x, let y, let width, let height else { return nil }
        if unit == .ratio, x + width > .one || y + height > .one {
            reader.report("unit", .outOfRange, "a ratio rect must lie within 0...1")
        }
        self.init(x: x, y: y, width: width, height: height, unit: unit)
    }
}

extension Background {
    init?(_ reader: inout ObjectReader) {
        let type = reader.choice("type", Kind.self, required: true)
        let color = reader.color("color", required: type == .color)
        let radius = reader.double("radius", in: 1...200)
        let url = reader.location("url", required: type == .image)
        guard let type else { return nil }
        let wanted: [Kind: String] = [.color: "color", .blur: "radius", .image: "url"]
        for (name, given) in [("color", color != nil), ("radius", radius != nil), ("url", url != nil)]
        where given && wanted[type] != name {
            reader.report(name, .conflict, "does not belong to a background of type '\(type.rawValue)'; leave it out")
        }
        self.init(type: type, color: color, radius: radius, url: url)
    }
}

extension ObjectReader {
    mutating func color(_ name: String, required: Bool = false) -> Color? {
        guard let text = string(name, required: required) else { return nil }
        guard let color = Color(hex: text) else {
            report(name, .invalidValue, "must be #RRGGBB or #RRGGBBAA, not '\(text)'")
            return nil
        }
        return color
    }
}
