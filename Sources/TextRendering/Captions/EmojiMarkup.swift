import Vocabulary

/// Replaces the emoji in the text of an event by marks that reserve their place: rectangles in colours by which they
/// are recognised among libass's bitmaps, or dots (`MarkerGrid`) where the event's tags may rotate, stretch or clip
/// them. `CaptionEmoji` assigns the colours and draws the pictures.
struct EmojiMarkup {
    /// The properties of a style that matter here.
    struct Style {
        var name: String
        var font: String
        /// The size as in scripts: the height of a line.
        var size: Double
        /// Whether the style neither stretches nor rotates, and has no box for each run of letters.
        var isPlain: Bool
        /// Whether each run of letters has a box of its own.
        var hasBoxes: Bool
    }

    /// The place of an emoji in a text.
    struct Place {
        var cluster: String
        var font: String
        var size: Double
        /// The number of emoji before it in the event, because neighbours need different colours.
        var index: Int
        var usesMarkerGrid: Bool
        /// Whether the letters beside it have boxes.
        var isBoxed: Bool
    }

    /// The mark that takes an emoji's place.
    struct Mark {
        /// The 24-bit colour of the rectangle or of the first dot, with red in the highest byte. The red value of each
        /// further dot is greater by one.
        var color: Int
        /// The rectangle's width in pixels of the script; `height` has the same unit.
        var width: Double
        var height: Double
        /// The dots that replace the rectangle.
        var lattice: MarkerGrid?
        /// The part of a line's height above the baseline, 0...1.
        var ascent: Double
    }

    private let styles: [Style]
    private let own: Style
    private let instant: EventInstant
    private let usesMarkerGrid: Bool
    /// Whether marks are isolated from the direction of their line, so that their dots keep their order where letters
    /// run to the left.
    private let isIsolated: Bool
    private var style: Style
    /// The values that tags have set since the style was set, by tag name.
    private var overrides: [String: Substring] = [:]
    /// All repeatable tags since the style was set, including the tag that set it.
    private var history: [Substring] = []
    private var font: String
    private var size: Double
    private var isDrawing = false
    private var count = 0

    /// - Parameters:
    ///   - text: the event's text.
    ///   - scrolls: whether the event scrolls.
    ///   - instant: when the event is drawn; it matters only where the event's text `animatesSize`.
    init(_ own: Style, among styles: [Style], text: String, scrolls: Bool, at instant: EventInstant) {
        self.styles = styles
        self.own = own
        self.instant = instant
        style = own
        font = own.font
        size = own.size
        usesMarkerGrid =
            scrolls || !own.isPlain
            || EmojiMarkup.blocks(of: text).contains { $0.tags.contains { EmojiMarkup.isChanging($0, styles) } }
        isIsolated = text.unicodeScalars.contains(where: EmojiMarkup.runsToTheLeft)
    }

    /// Tags that change, rotate, stretch or clip what is drawn.
    private static let changing = [
        "t(", "k", "K", "fr", "fax", "fay", "fsc", "fsp", "clip", "iclip", "org", "xbord", "ybord", "xshad", "yshad", "pbo",
    ]

    private static func isChanging(_ tag: Substring, _ styles: [Style]) -> Bool {
        let body = OverrideTags.body(of: tag)
        if changing.contains(where: body.hasPrefix) { return true }
        return body.hasPrefix("r") && styles.last { $0.name == body.dropFirst() }?.isPlain == false
    }

    /// Whether the size of letters is animated in a text, so that its marks differ from instant to instant.
    static func animatesSize(_ text: String) -> Bool {
        blocks(of: text).contains { block in
            block.tags.contains { OverrideTags.animation($0)?.tags.tags.contains(where: setsSize) == true }
        }
    }

    /// The override blocks of a text.
    static func blocks(of text: String) -> [OverrideTags] {
        var found: [OverrideTags] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            found.append(OverrideTags(rest[open..<close].dropFirst()))
            rest = rest[close...].dropFirst()
        }
        return found
    }

    /// Whether a character is Hebrew, Arabic or of a related script, or a control character for right-to-left text.
    private static func runsToTheLeft(_ scalar: Unicode.Scalar) -> Bool {
        [
            0x590...0x8FF, 0x200F...0x200F, 0x202B...0x202E, 0x2067...0x2068, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
            0x1E800...0x1EFFF,
        ].contains { $0.contains(Int(scalar.value)) }
    }

    /// Tags that are written again after a rectangle.
    private static let kept = ["1c", "bord", "shad", "be", "blur"]

    /// The usual limit on the bytes of an event's marks.
    static let limit = 4 << 20

    /// - Parameters:
    ///   - limit: the limit on the bytes of the marks; an event that would exceed it keeps its text.
    ///   - mark: the mark for a place, or nil where there cannot be one.
    /// - Returns: the new text, or nil where the text stays unchanged.
    mutating func replace(in text: String, limit: Int, _ mark: (Place) -> Mark?) -> String? {
        var result = ""
        var added = 0
        var rest = text[...]
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                let block = rest[...end]
                take(block)
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
                        cluster: String(first), font: font, size: limitedSize, index: count, usesMarkerGrid: usesMarkerGrid,
                        isBoxed: style.hasBoxes))
            {
                count += 1
                let marks = found.lattice.map { markup($0, found) } ?? markup(found)
                added += marks.utf8.count
                guard added <= limit else { return nil }
                result += marks
            } else {
                result.append(first)
            }
        }
        return count > 0 ? result : nil
    }

    private mutating func take(_ block: Substring) {
        let tags = OverrideTags(block.dropFirst().dropLast())
        for tag in tags.tags {
            if let (head, animated) = OverrideTags.animation(tag) {
                take(animated, of: head)
            } else {
                take(tag, share: 1)
            }
        }
        // A tag that sets the style undoes all tags before it.
        let repeatable = tags.repeatable
        history += repeatable[(repeatable.lastIndex { OverrideTags.body(of: $0).hasPrefix("r") } ?? 0)...]
    }

    private mutating func take(_ animated: OverrideTags, of head: Substring) {
        guard var share = instant.share(of: head) else { return }
        for tag in animated.tags {
            if let (head, _) = OverrideTags.animation(tag) {
                guard let next = instant.share(of: head) else { return }
                share = next
            } else {
                take(tag, share: share)
            }
        }
    }

    /// - Parameter share: the share of the tag's change that has been made; it is less than 1 during an animation.
    private mutating func take(_ tag: Substring, share: Double) {
        let body = OverrideTags.body(of: tag)
        if body.hasPrefix("fn") {
            let name = body.dropFirst(2).trimmed
            font = name.isEmpty || name == "0" ? style.font : String(name)
        } else if EmojiMarkup.setsSize(tag) {
            setSize(OverrideTags.value(of: body, after: 2), share: share)
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

    /// Changes the size as libass does.
    /// - Parameter value: a size; with a sign, tenths of the size so far that are added to it.
    private mutating func setSize(_ value: Substring, share: Double) {
        guard !value.trimmed.isEmpty else {
            size = style.size
            return
        }
        let number = value.leadingNumber
        let isRelative = value.first == "+" || value.first == "-"
        let changed = isRelative ? size * (1 + share * number / 10) : size * (1 - share) + number * share
        size = changed > 0 && changed.isFinite ? changed : style.size
    }

    /// The size that marks are made for: libass would draw the marks of larger letters as very large bitmaps.
    private var limitedSize: Double { min(size, EmojiMarkup.largestSize) }
    private static let largestSize = 10_000.0

    private static func setsSize(_ tag: Substring) -> Bool {
        let body = OverrideTags.body(of: tag)
        return body.hasPrefix("fs") && !body.hasPrefix("fsc") && !body.hasPrefix("fsp")
    }

    /// A colour in the syntax of tags.
    static func text(ofColor color: Int) -> String {
        func pair(_ value: Int) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
        return "&H\(pair(color & 255))\(pair(color >> 8 & 255))\(pair(color >> 16 & 255))&"
    }

    private func markup(_ mark: Mark) -> String {
        let (width, height) = ("\(mark.width)", "\(mark.height)")
        // A tag without a value restores the style's value.
        let restored = EmojiMarkup.kept.map { "\\\($0)\(overrides[$0] ?? "")" }.joined()
        return "{\\1c\(EmojiMarkup.text(ofColor: mark.color))\\bord0\\shad0\\be0\\blur0\\p1}"
            + "m 0 0 l \(width) 0 \(width) \(height) 0 \(height){\\p0\(restored)}"
    }

    /// The dots, followed by an invisible rectangle that reserves the room; in a style with boxes it has the box of a
    /// letter.
    private func markup(_ lattice: MarkerGrid, _ mark: Mark) -> String {
        let again = "\\r" + history.joined()
        let invisible = "\\1a&HFF&\\2a&HFF&"
        let dots = lattice.drawings { EmojiMarkup.text(ofColor: mark.color + $0 << 16) }
        let room: String
        if style.hasBoxes {
            // In sixteenths of a pixel, so that the baseline can be given precisely.
            let (width, height) = ((lattice.restWidth * 16).rounded(), (limitedSize * 16).rounded())
            let descent = Int((limitedSize * (1 - mark.ascent) * 16).rounded())
            room = "{\\p0\(again)\(invisible)\\pbo\(descent)\\p5}m 0 0 l \(width) 0 \(width) \(height) 0 \(height)"
        } else {
            let (width, height) = (lattice.restWidth, lattice.height)
            room = "{\(invisible)}m 0 0 l \(width) 0 \(width) \(height) 0 \(height)"
        }
        let marks = "{\\3a&HFF&\\4a&HFF&\\bord0\\shad0\\be0\\blur0\\pbo0\\p1}\(dots)\(room){\\p0\\pbo0\(again)}"
        return isIsolated ? "\u{2066}\(marks)\u{2069}" : marks
    }
}
