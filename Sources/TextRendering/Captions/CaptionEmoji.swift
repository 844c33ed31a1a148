import CAss
import ExportPlan
import Glibc

/// Draws the emoji of captions like those of texts, because libass has only one colour for a glyph.
///
/// Each emoji in the script is replaced by a rectangle whose colour identifies it (`EmojiMarkup`), and the typesetter's
/// picture is drawn where libass places the rectangle. In events that may rotate, stretch or move their text, dots take
/// the rectangle's place; their positions show how libass has transformed the place (`MarkerGrid`). Clips of such an
/// event are removed from it and drawn as a picture of their own, because the dots have to be visible and the emoji
/// extends beyond them (`EventClip`).
///
/// `CaptionPainter` owns one.
final class CaptionEmoji {
    /// A picture at the place that libass has left for it.
    struct Placed {
        var picture: DrawnPicture
        /// The column of the picture's upper left pixel in the frame; `y` is its row.
        var x: Int
        var y: Int
        /// 0...255, from the caption's colour.
        var opacity: Int
    }

    private struct Mark: Hashable {
        var cluster: String
        /// The height of an em, in pixels of the script.
        var em: Double
        /// A number that differs between neighbours: libass would draw neighbours of the same colour as one bitmap.
        var number: Int
        var usesMarkerGrid: Bool
        var isBoxed: Bool
    }

    /// What a bitmap of libass stands for.
    enum Meaning {
        case rectangle
        case dot(Int, mark: Int)
        case clip(EventClip.Sign)
    }

    private let typesetter: Typesetter
    private let fonts: FontLibrary
    /// The text colour of captions without styles of their own; emoji fonts without colours are drawn in it.
    private let color: RGBAColor
    private let frame: FrameSize
    private var marks: [Mark] = []
    private var places: [Mark: EmojiMarkup.Mark] = [:]
    private var lines: [String: (height: Double, ascentShare: Double)] = [:]
    private var pictures: [PictureSize: MeasuredText] = [:]
    /// The first of the red values that identify marks, that of rectangles. The values of the dots and of clips follow.
    private var red = CaptionEmoji.usualRed
    /// Frame pixels per pixel of the script.
    private var scale = 1.0

    /// - Throws: `TextRenderingError` `outOfMemory`.
    init(_ fonts: FontLibrary, _ color: RGBAColor, frame: FrameSize) throws(TextRenderingError) {
        typesetter = try Typesetter(fonts: fonts)
        self.fonts = fonts
        self.color = RGBAColor(red: color.red, green: color.green, blue: color.blue, alpha: 255)
        self.frame = frame
    }

    private static let usualRed = 0x5B
    /// The number of red values: one for rectangles, one for each dot, and one for clips.
    private static let redCount = MarkerGrid.count + 2
    /// The rectangle's height in ems, low enough that no line becomes higher.
    private static let height = 0.5

    private struct PictureSize: Hashable {
        var mark: Mark
        /// Frame pixels per pixel of the script.
        var scale: Double
    }

    // MARK: Marks

    /// Replaces the emoji of all events by marks. Repeating it with the same script has the same result.
    func replace(in track: UnsafeMutablePointer<ASS_Track>) {
        guard track.pointee.PlayResY > 0 else { return }
        scale = Double(frame.height) / Double(track.pointee.PlayResY)
        let styles = (0..<Int(track.pointee.n_styles)).map { EmojiMarkup.Style(track.pointee.styles[$0]) }
        chooseReds(track)
        for index in 0..<Int(track.pointee.n_events) { track.pointee.events[index].ReadOrder *= EventClip.spacing }
        for index in 0..<Int(track.pointee.n_events) {
            let event = track.pointee.events + index
            guard let text = event.pointee.Text, styles.indices.contains(Int(event.pointee.Style)) else { continue }
            let string = String(cString: text)
            let scroll = EventClip.Scroll(event.pointee.Effect.map { String(cString: $0) } ?? "")
            var markup = EmojiMarkup(styles[Int(event.pointee.Style)], among: styles, text: string, scrolls: scroll != nil)
            guard let replaced = markup.replace(in: string, place) else { continue }
            let clip = EventClip(replaced, scroll, width: Int(track.pointee.PlayResX), height: Int(track.pointee.PlayResY))
            guard let copy = strdup(clip?.text ?? replaced) else { continue }
            free(text)
            event.pointee.Text = copy
            clip?.add(to: track, around: index, red: red + CaptionEmoji.redCount - 1)
        }
    }

    /// Chooses red values that the script itself does not use, so that its own letters are never taken for marks.
    private func chooseReds(_ track: UnsafeMutablePointer<ASS_Track>) {
        var used = Set<Int>()
        for index in 0..<Int(track.pointee.n_styles) {
            let style = track.pointee.styles[index]
            for color in [style.PrimaryColour, style.SecondaryColour, style.OutlineColour, style.BackColour] {
                used.insert(Int(color >> 24))
            }
        }
        for index in 0..<Int(track.pointee.n_events) {
            guard let text = track.pointee.events[index].Text else { continue }
            for part in String(cString: text).split(separator: "&").dropFirst() where part.first == "H" || part.first == "h" {
                // The digits are blue, green and red, in this order.
                if let number = Int(part.dropFirst().prefix { $0.isHexDigit }.suffix(6), radix: 16) { used.insert(number & 255) }
            }
        }
        let starts = 0...(256 - CaptionEmoji.redCount)
        func isFree(_ start: Int) -> Bool { used.isDisjoint(with: start..<start + CaptionEmoji.redCount) }
        red = isFree(CaptionEmoji.usualRed) ? CaptionEmoji.usualRed : starts.first(where: isFree) ?? CaptionEmoji.usualRed
    }

    private func place(_ place: EmojiMarkup.Place) -> EmojiMarkup.Mark? {
        // A font gives the height of its lines in hundredths; rounding to quarters of a pixel restores the requested
        // size.
        let line = line(of: place.font)
        let em = (place.size / line.height * 4).rounded() / 4
        guard em.isFinite, em > 0 else { return nil }
        // Some dots may be missing, so that more neighbours need different colours.
        let mark = Mark(
            cluster: place.cluster, em: em, number: place.index % (place.usesMarkerGrid ? 16 : 2),
            usesMarkerGrid: place.usesMarkerGrid,
            isBoxed: place.isBoxed)
        if let known = places[mark] { return known }
        // An emoji that cannot be drawn is left to libass, and reported with the other characters that no font has.
        guard marks.count < 1 << 16, let text = try? typesetter.measure(content(mark, em: em)), text.width > 0 else { return nil }
        let found = EmojiMarkup.Mark(
            color: (red + (place.usesMarkerGrid ? 1 : 0)) << 16 | marks.count, width: text.width,
            height: em * CaptionEmoji.height,
            lattice: place.usesMarkerGrid
                ? MarkerGrid(
                    width: text.width, em: em, ascent: place.size * line.ascentShare, isNarrow: place.isBoxed) : nil,
            ascent: line.ascentShare)
        marks.append(mark)
        places[mark] = found
        return found
    }

    /// libass takes a font size for the height of a line.
    private func line(of family: String) -> (height: Double, ascentShare: Double) {
        if let known = lines[family] { return known }
        let name = family.hasPrefix("@") ? String(family.dropFirst()) : family
        // A family that is not installed is reported together with all others.
        let line = (try? ChosenFont("\(name) 100", in: fonts)).map { ($0.lineHeight, $0.ascentShare) } ?? (1, 0.8)
        lines[family] = line
        return line
    }

    /// Emoji have a font of their own, so the caption's font does not matter.
    private func content(_ mark: Mark, em: Double) -> TextContent {
        TextContent(text: mark.cluster, font: "Sans \(em)", color: color)
    }

    // MARK: Pictures

    /// The font files of all emoji.
    func fontFiles() throws(TextRenderingError) -> Set<FontFile> {
        var files: Set<FontFile> = []
        for mark in marks { files.formUnion(try typesetter.fontFiles(of: content(mark, em: mark.em))) }
        return files
    }

    /// What a bitmap of libass stands for; nil for letters.
    func meaning(of image: ASS_Image) -> Meaning? {
        let color = Int(image.color >> 8)
        let (kind, number) = (color >> 16 - red, color & 0xFFFF)
        if kind == CaptionEmoji.redCount - 1 { return EventClip.Sign(rawValue: number).map { .clip($0) } }
        guard marks.indices.contains(number), image.w > 0, image.h > 0 else { return nil }
        if kind == 0, !marks[number].usesMarkerGrid { return .rectangle }
        return (1...MarkerGrid.count).contains(kind) && marks[number].usesMarkerGrid ? .dot(kind - 1, mark: number) : nil
    }

    /// The picture for which a rectangle reserves the place; nil where the bitmap is not such a rectangle.
    func placed(_ image: ASS_Image) throws(TextRenderingError) -> Placed? {
        let text = try picture(marks[Int(image.color >> 8) & 0xFFFF], scale: scale)
        guard let place = RectanglePlace(image), place.width <= text.width + 1 else { return nil }
        // Where the frame cuts the rectangle off on the left, its right end gives its position.
        let isCut = place.left <= 0 && place.width < text.width - 1
        let left = isCut ? place.width - text.width : place.left
        return placed(text, left, place.bottom, opacity: Int(255 - image.color & 255))
    }

    private func placed(_ text: MeasuredText, _ left: Double, _ baseline: Double, opacity: Int) -> Placed {
        Placed(
            picture: text.picture, x: Int(left.rounded()) - text.picture.origin.x,
            y: Int(baseline.rounded()) - Int(text.baseline.rounded()) - text.picture.origin.y, opacity: opacity)
    }

    /// The picture at the place that the dots mark; nil where no part of it is seen.
    /// - Parameter bounds: the part of the frame that may be seen.
    func placed(_ found: DetectedMarkerGrid, within bounds: EdgeBox) throws(TextRenderingError) -> Placed? {
        let mark = marks[found.mark]
        guard let lattice = places[mark]?.lattice, found.meanOpacity > 0, let projection = found.projection(lattice),
            let origin = projection.apply(0, 0), let right = projection.apply(mark.em, 0), let down = projection.apply(0, mark.em)
        else { return nil }
        let across = (x: right.x - origin.x, y: right.y - origin.y)
        let along = (x: down.x - origin.x, y: down.y - origin.y)
        let size = mark.em * scale
        // A picture that is only moved is drawn without resampling, so that it is as sharp as elsewhere.
        if [across.x - size, across.y, along.x, along.y - size].allSatisfy({ abs($0) < 0.25 }) {
            return placed(try picture(mark, scale: scale), origin.x, origin.y, opacity: found.meanOpacity)
        }
        // The picture is drawn at least as large as it is shown, but less than twice as large.
        let largest = max(across.x * across.x + across.y * across.y, along.x * along.x + along.y * along.y).squareRoot() / size
        var step = 1.0
        while step < largest, size * step < CaptionEmoji.largestEm { step *= 2 }
        while step / 2 >= largest, size * step > 8 { step /= 2 }
        let text = try picture(mark, scale: scale * step)
        guard let placed = EmojiPicture.placed(text, scale: scale * step, projection, within: bounds) else { return nil }
        return Placed(picture: placed.picture, x: placed.x, y: placed.y, opacity: found.meanOpacity)
    }

    /// Pictures that are stretched are drawn up to about this em size, in pixels.
    private static let largestEm = 512.0

    private func picture(_ mark: Mark, scale: Double) throws(TextRenderingError) -> MeasuredText {
        let size = PictureSize(mark: mark, scale: scale)
        if let known = pictures[size] { return known }
        let text = try typesetter.measure(content(mark, em: mark.em * scale))
        pictures[size] = text
        return text
    }
}

/// The position of a rectangle in the frame, computed from the coverage of its outermost pixels; libass's bitmaps may
/// have empty edges.
private struct RectanglePlace {
    var left: Double
    var bottom: Double
    var width: Double

    /// - Returns: nil where the bitmap is not a rectangle, because letters may have the same colour.
    init?(_ image: ASS_Image) {
        guard let bitmap = image.bitmap else { return nil }
        let (columns, rows) = (0..<Int(image.w), 0..<Int(image.h))
        func covered(_ x: Int, _ y: Int) -> Double { Double(bitmap[y * Int(image.stride) + x]) / 255 }
        let across = columns.map { x in rows.reduce(0) { $0 + covered(x, $1) } }
        let down = rows.map { y in columns.reduce(0) { $0 + covered($1, y) } }
        // A rectangle's coverage is that of its longest row times that of its longest column. A rectangle so low that
        // none of its rows is fully covered cannot be checked this way.
        guard let height = across.max(), let width = down.max(), height > 0,
            height < 2 || abs(down.reduce(0, +) - width * height) < 0.1 * width * height,
            let left = across.firstIndex(where: { $0 > 0.98 * height }), let bottom = down.lastIndex(where: { $0 > 0.98 * width })
        else { return nil }
        self.width = width
        self.left = Double(image.dst_x) + Double(left) - across[..<left].reduce(0, +) / height
        self.bottom = Double(image.dst_y) + Double(bottom + 1) + down[(bottom + 1)...].reduce(0, +) / width
    }
}

extension EmojiMarkup.Style {
    fileprivate init(_ style: ASS_Style) {
        self.init(
            name: style.Name.map { String(cString: $0) } ?? "", font: style.FontName.map { String(cString: $0) } ?? "",
            size: style.FontSize,
            isPlain: style.ScaleX == 1 && style.ScaleY == 1 && style.Angle == 0 && style.Spacing == 0 && style.BorderStyle != 3,
            hasBoxes: style.BorderStyle == 3)
    }
}
