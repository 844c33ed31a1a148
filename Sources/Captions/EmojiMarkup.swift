import Vocabulary

/// Puts places for pictures into an event of libass, where its text has emoji: rectangles in colours of their own, by which they are known
/// again among what libass draws, or, where the event's tags may turn, stretch or cut them, lattices of dots. `CaptionEmoji` gives out the
/// colours and draws the pictures.
struct EmojiMarkup {
    /// A style as far as it matters here.
    struct Style {
        var name: String
        var font: String
        /// As libass counts it: the height of a line.
        var size: Double
        /// Neither stretched nor turned, and without a box for each run of its own.
        var isPlain: Bool
        /// A box for each run of its own.
        var hasBoxes: Bool
    }

    /// A place in a text.
    struct Place {
        var cluster: String
        var font: String
        var size: Double
        /// Emoji before it in the event: neighbours have to differ.
        var index: Int
        var isLattice: Bool
        /// Letters beside it have boxes.
        var isBoxed: Bool
    }

    /// What stands for an emoji.
    struct Mark {
        /// 24 bits, red in the highest: of the rectangle, or of the first dot. Each further dot has one more red.
        var color: Int
        /// The rectangle's sides, in pixels of the script.
        var width: Double
        var height: Double
        /// Instead of the rectangle.
        var lattice: EmojiLattice?
        /// How much of a line's height is above the baseline.
        var ascent: Double
    }

    private let styles: [Style]
    private let own: Style
    private let isLattice: Bool
    /// The marks of an emoji keep their order on a line on which letters run to the left.
    private let isIsolated: Bool
    private var style: Style
    /// What tags have set since the style was set, by their names.
    private var overrides: [String: Substring] = [:]
    /// All tags since the style was set, with the one that set it, that may be read again.
    private var history: [Substring] = []
    private var font: String
    private var size: Double
    private var isDrawing = false
    private var count = 0

    /// - Parameters:
    ///   - text: of the event.
    ///   - scrolls: whether the event does so.
    init(_ own: Style, among styles: [Style], text: String, scrolls: Bool) {
        self.styles = styles
        self.own = own
        style = own
        font = own.font
        size = own.size
        isLattice =
            scrolls || !own.isPlain
            || EmojiMarkup.blocks(of: text).contains { $0.tags.contains { EmojiMarkup.isChanging($0, styles) } }
        isIsolated = text.unicodeScalars.contains(where: EmojiMarkup.runsToTheLeft)
    }

    /// Tags that change, turn, stretch or cut what is drawn.
    private static let changing = [
        "t(", "k", "K", "fr", "fax", "fay", "fsc", "fsp", "clip", "iclip", "org", "xbord", "ybord", "xshad", "yshad", "pbo",
    ]

    private static func isChanging(_ tag: Substring, _ styles: [Style]) -> Bool {
        let body = OverrideTags.body(of: tag)
        if changing.contains(where: body.hasPrefix) { return true }
        return body.hasPrefix("r") && styles.last { $0.name == body.dropFirst() }?.isPlain == false
    }

    /// The blocks of tags in a text.
    static func blocks(of text: String) -> [OverrideTags] {
        var found: [OverrideTags] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            found.append(OverrideTags(rest[open..<close].dropFirst()))
            rest = rest[close...].dropFirst()
        }
        return found
    }

    /// Hebrew, Arabic and their neighbours, and the signs that turn the direction.
    private static func runsToTheLeft(_ scalar: Unicode.Scalar) -> Bool {
        [
            0x590...0x8FF, 0x200F...0x200F, 0x202B...0x202E, 0x2067...0x2068, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
            0x1E800...0x1EFFF,
        ].contains { $0.contains(Int(scalar.value)) }
    }

    /// Tags that are written again behind a rectangle.
    private static let kept = ["1c", "bord", "shad", "be", "blur"]

    /// The marks of an event take so many bytes at most; an event that would have more keeps its text.
    private static let limit = 4 << 20

    /// - Parameter mark: nil where a place cannot be had.
    /// - Returns: nil where the text stays as it is.
    mutating func replace(in text: String, _ mark: (Place) -> Mark?) -> String? {
        guard text.contains(where: \.isColoredEmoji) else { return nil }
        var result = ""
        var added = 0
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
                let found = mark(
                    Place(
                        cluster: String(first), font: font, size: size, index: count, isLattice: isLattice,
                        isBoxed: style.hasBoxes))
            {
                count += 1
                let marks = found.lattice.map { markup($0, found) } ?? markup(found)
                added += marks.utf8.count
                guard added <= EmojiMarkup.limit else { return nil }
                result += marks
            } else {
                result.append(first)
            }
        }
        return count > 0 ? result : nil
    }

    /// - Returns: whether emoji can still be replaced: not where the size of letters changes with time.
    private mutating func take(_ block: Substring) -> Bool {
        let tags = OverrideTags(block.dropFirst().dropLast())
        for tag in tags.tags {
            if let (_, animated) = OverrideTags.animation(tag), animated.tags.contains(where: { EmojiMarkup.setsSize($0) }) {
                return false
            }
            let body = OverrideTags.body(of: tag)
            if body.hasPrefix("fn") {
                let name = body.dropFirst(2).trimmed
                font = name.isEmpty || name == "0" ? style.font : String(name)
            } else if EmojiMarkup.setsSize(tag) {
                let number = body.dropFirst(2).trimmed
                guard number.isEmpty || number.first?.isASCIIDigit == true else { return false }
                size = Double(number) ?? style.size
            } else if body.hasPrefix("r") {
                let name = body.dropFirst()
                style = name.isEmpty ? own : styles.last { $0.name == name } ?? own
                (font, size, overrides, history) = (style.font, style.size, [:], [])
            } else if body.hasPrefix("p"), let scale = Int(body.dropFirst()) {
                isDrawing = scale > 0
            } else if body.hasPrefix("c"), !body.hasPrefix("cl") {
                overrides["1c"] = body.dropFirst()
            } else if let name = EmojiMarkup.kept.first(where: body.hasPrefix) {
                overrides[name] = body.dropFirst(name.count)
            }
        }
        // What stands before a style is undone by it.
        let repeatable = tags.repeatable
        history += repeatable[(repeatable.lastIndex { OverrideTags.body(of: $0).hasPrefix("r") } ?? 0)...]
        return true
    }

    private static func setsSize(_ tag: Substring) -> Bool {
        let body = OverrideTags.body(of: tag)
        return body.hasPrefix("fs") && !body.hasPrefix("fsc") && !body.hasPrefix("fsp")
    }

    /// A colour as tags have it.
    static func text(ofColor color: Int) -> String {
        func pair(_ value: Int) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
        return "&H\(pair(color & 255))\(pair(color >> 8 & 255))\(pair(color >> 16 & 255))&"
    }

    private func markup(_ mark: Mark) -> String {
        let (width, height) = ("\(mark.width)", "\(mark.height)")
        // Without a value a tag gives back what the style says.
        let restored = EmojiMarkup.kept.map { "\\\($0)\(overrides[$0] ?? "")" }.joined()
        return "{\\1c\(EmojiMarkup.text(ofColor: mark.color))\\bord0\\shad0\\be0\\blur0\\p1}"
            + "m 0 0 l \(width) 0 \(width) \(height) 0 \(height){\\p0\(restored)}"
    }

    /// The dots, and behind them an invisible rectangle that makes room; in a style with boxes it has the box of a letter.
    private func markup(_ lattice: EmojiLattice, _ mark: Mark) -> String {
        let again = "\\r" + history.joined()
        let invisible = "\\1a&HFF&\\2a&HFF&"
        let dots = lattice.drawings { EmojiMarkup.text(ofColor: mark.color + $0 << 16) }
        let room: String
        if style.hasBoxes {
            // In sixteenths of pixels, so that the baseline has its place.
            let (width, height) = ((lattice.restWidth * 16).rounded(), (size * 16).rounded())
            let descent = Int((size * (1 - mark.ascent) * 16).rounded())
            room = "{\\p0\(again)\(invisible)\\pbo\(descent)\\p5}m 0 0 l \(width) 0 \(width) \(height) 0 \(height)"
        } else {
            let (width, height) = (lattice.restWidth, lattice.height)
            room = "{\(invisible)}m 0 0 l \(width) 0 \(width) \(height) 0 \(height)"
        }
        let marks = "{\\3a&HFF&\\4a&HFF&\\bord0\\shad0\\be0\\blur0\\pbo0\\p1}\(dots)\(room){\\p0\\pbo0\(again)}"
        return isIsolated ? "\u{2066}\(marks)\u{2069}" : marks
    }
}
