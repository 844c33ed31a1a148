/// Puts places for pictures into an event of libass, where its text has emoji: rectangles in colours of their own, by which they are known
/// again among what libass draws. `CaptionEmoji` gives out the colours and draws the pictures.
struct EmojiMarkup {
    /// A style as far as it matters here.
    struct Style {
        var name: String
        var font: String
        /// As libass counts it: the height of a line.
        var size: Double
        /// Neither stretched nor turned, and without a box for each run of its own.
        var isPlain: Bool
    }

    /// A place in a text.
    struct Place {
        var cluster: String
        var font: String
        var size: Double
        /// Emoji before it in the event: neighbours have to differ.
        var index: Int
    }

    /// A rectangle that stands for an emoji.
    struct Rectangle {
        /// 24 bits, red in the highest.
        var color: Int
        /// Pixels of the script.
        var width: Double
        var height: Double
    }

    private let styles: [Style]
    private let own: Style
    private var style: Style
    /// What tags have set since the style was set, by their names.
    private var overrides: [String: Substring] = [:]
    private var font: String
    private var size: Double
    private var isDrawing = false
    private var count = 0

    init?(_ own: Style, among styles: [Style]) {
        guard own.isPlain else { return nil }
        self.styles = styles
        self.own = own
        style = own
        font = own.font
        size = own.size
    }

    /// Tags that change, turn, stretch or cut what is drawn: where they stand emoji are left to libass.
    private static let refused = [
        "t(", "k", "K", "fr", "fax", "fay", "fsc", "fsp", "clip", "iclip", "org", "xbord", "ybord", "xshad", "yshad", "pbo",
    ]

    /// Tags that are written again behind a rectangle.
    private static let kept = ["1c", "bord", "shad", "be", "blur"]

    /// - Parameter rectangle: nil where a place cannot be had.
    /// - Returns: nil where the text stays as it is.
    mutating func replace(in text: String, _ rectangle: (Place) -> Rectangle?) -> String? {
        guard text.contains(where: \.isColoredEmoji) else { return nil }
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                let block = rest[...end]
                guard take(block) else { return nil }
                result += block
                rest = rest[end...].dropFirst()
                continue
            }
            rest.removeFirst()
            if first == "\\", let next = rest.first, !isDrawing {
                result.append(first)
                if "Nnh{}".contains(next) { result.append(rest.removeFirst()) }
            } else if !isDrawing, first.isColoredEmoji,
                let place = rectangle(Place(cluster: String(first), font: font, size: size, index: count))
            {
                count += 1
                result += markup(place)
            } else {
                result.append(first)
            }
        }
        return count > 0 ? result : nil
    }

    /// - Returns: whether emoji can still be replaced.
    private mutating func take(_ block: Substring) -> Bool {
        for tag in block.dropFirst().dropLast().split(separator: "\\").map(\.trimmed) {
            if EmojiMarkup.refused.contains(where: tag.hasPrefix) { return false }
            if tag.hasPrefix("fn") {
                let name = tag.dropFirst(2).trimmed
                font = name.isEmpty || name == "0" ? style.font : String(name)
            } else if tag.hasPrefix("fs") {
                let number = tag.dropFirst(2).trimmed
                guard number.isEmpty || number.first?.isASCIIDigit == true else { return false }
                size = Double(number) ?? style.size
            } else if tag.hasPrefix("r") {
                let name = tag.dropFirst()
                style = name.isEmpty ? own : styles.last { $0.name == name } ?? own
                guard style.isPlain else { return false }
                (font, size, overrides) = (style.font, style.size, [:])
            } else if tag.hasPrefix("p"), let scale = Int(tag.dropFirst()) {
                isDrawing = scale > 0
            } else if tag.hasPrefix("c"), !tag.hasPrefix("cl") {
                overrides["1c"] = tag.dropFirst()
            } else if let name = EmojiMarkup.kept.first(where: tag.hasPrefix) {
                overrides[name] = tag.dropFirst(name.count)
            }
        }
        return true
    }

    private func markup(_ place: Rectangle) -> String {
        let (red, green, blue) = (place.color >> 16 & 255, place.color >> 8 & 255, place.color & 255)
        func pair(_ value: Int) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
        let (width, height) = ("\(place.width)", "\(place.height)")
        // Without a value a tag gives back what the style says.
        let restored = EmojiMarkup.kept.map { "\\\($0)\(overrides[$0] ?? "")" }.joined()
        return "{\\1c&H\(pair(blue))\(pair(green))\(pair(red))&\\bord0\\shad0\\be0\\blur0\\p1}"
            + "m 0 0 l \(width) 0 \(width) \(height) 0 \(height){\\p0\(restored)}"
    }
}
