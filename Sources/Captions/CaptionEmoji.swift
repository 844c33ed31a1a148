import CAss
import ExportPlan
import Lettering

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The emoji of captions, drawn as those of texts are: libass has one colour for a glyph. It is given a rectangle in place of each, whose
/// colour says which it is (`EmojiMarkup`), and where it has put that, the typesetter's picture is drawn. `CaptionPainter` owns one.
final class CaptionEmoji {
    /// A picture where libass has left room for it.
    struct Placed {
        var picture: DrawnPicture
        /// Of the picture's upper left pixel, in the frame.
        var x: Int
        var y: Int
        /// 0...255, as the caption's colour has it.
        var opacity: Int
    }

    private struct Mark: Hashable {
        var cluster: String
        /// Height of an em, in pixels of the script.
        var em: Double
        /// Neighbours have different colours, or libass would draw them as one.
        var isOdd: Bool
    }

    private let typesetter: Typesetter
    private let fonts: FontLibrary
    /// Of captions without styles of their own; a font without colours draws emoji in it.
    private let color: RGBAColor
    private let frame: FrameSize
    private var marks: [Mark] = []
    private var rectangles: [Mark: EmojiMarkup.Rectangle] = [:]
    private var lineHeights: [String: Double] = [:]
    private var pictures: [Mark: MeasuredText] = [:]
    /// Pixels of the frame for one of the script.
    private var scale = 1.0

    /// - Throws: `LetteringError` `outOfMemory`.
    init(_ fonts: FontLibrary, _ color: RGBAColor, frame: FrameSize) throws(LetteringError) {
        typesetter = try Typesetter(fonts: fonts)
        self.fonts = fonts
        self.color = RGBAColor(red: color.red, green: color.green, blue: color.blue, alpha: 255)
        self.frame = frame
    }

    /// The red of all marks; green and blue say which it is.
    private static let red = 0x5B
    /// The rectangle's height: no line grows by it.
    private static let height = 0.5

    // MARK: Rectangles

    /// Puts rectangles in place of the emoji of all events. Done again with the same script, it does the same.
    func replace(in track: UnsafeMutablePointer<ASS_Track>) {
        guard track.pointee.PlayResY > 0 else { return }
        scale = Double(frame.height) / Double(track.pointee.PlayResY)
        let styles = (0..<Int(track.pointee.n_styles)).map { EmojiMarkup.Style(track.pointee.styles[$0]) }
        for index in 0..<Int(track.pointee.n_events) {
            let event = track.pointee.events + index
            guard let text = event.pointee.Text, styles.indices.contains(Int(event.pointee.Style)),
                event.pointee.Effect.map({ $0.pointee == 0 }) ?? true,
                var markup = EmojiMarkup(styles[Int(event.pointee.Style)], among: styles),
                let replaced = markup.replace(in: String(cString: text), rectangle), let copy = strdup(replaced)
            else { continue }
            free(text)
            event.pointee.Text = copy
        }
    }

    private func rectangle(_ place: EmojiMarkup.Place) -> EmojiMarkup.Rectangle? {
        // A font says in hundredths how high its lines are: quarters of a pixel bring back the size that was asked for.
        let em = (place.size / lineHeight(place.font) * 4).rounded() / 4
        guard em.isFinite, em > 0 else { return nil }
        let mark = Mark(cluster: place.cluster, em: em, isOdd: place.index % 2 == 1)
        if let known = rectangles[mark] { return known }
        // What cannot be drawn is left to libass, and named with the other characters that no font has.
        guard marks.count < 1 << 16, let text = try? typesetter.measure(content(mark, em: em)), text.width > 0 else { return nil }
        let rectangle = EmojiMarkup.Rectangle(
            color: CaptionEmoji.red << 16 | marks.count, width: text.width, height: em * CaptionEmoji.height)
        marks.append(mark)
        rectangles[mark] = rectangle
        return rectangle
    }

    /// libass takes a size for the height of a line.
    private func lineHeight(_ family: String) -> Double {
        if let known = lineHeights[family] { return known }
        let name = family.hasPrefix("@") ? String(family.dropFirst()) : family
        // A family that is not here is reported with all others.
        let height = (try? ChosenFont("\(name) 100", in: fonts))?.lineHeight ?? 1
        lineHeights[family] = height
        return height
    }

    /// Emoji have a font of their own, so that of the caption does not matter.
    private func content(_ mark: Mark, em: Double) -> TextContent {
        TextContent(text: mark.cluster, font: "Sans \(em)", color: color)
    }

    // MARK: Pictures

    /// The font files of all emoji.
    func fontFiles() throws(LetteringError) -> Set<FontFile> {
        var files: Set<FontFile> = []
        for mark in marks { files.formUnion(try typesetter.fontFiles(of: content(mark, em: mark.em))) }
        return files
    }

    /// The picture whose place a bitmap of libass is; nil of all others.
    func placed(_ image: ASS_Image) throws(LetteringError) -> Placed? {
        let color = Int(image.color >> 8)
        guard color >> 16 == CaptionEmoji.red, marks.indices.contains(color & 0xFFFF), image.w > 0, image.h > 0 else {
            return nil
        }
        let text = try picture(marks[color & 0xFFFF])
        guard let place = RectanglePlace(image), place.width <= text.width + 1 else { return nil }
        // Where the frame cuts the rectangle, its other end says where it is.
        let isCut = place.left <= 0 && place.width < text.width - 1
        let left = isCut ? place.width - text.width : place.left
        return Placed(
            picture: text.picture, x: Int(left.rounded()) - text.picture.origin.x,
            y: Int(place.bottom.rounded()) - Int(text.baseline.rounded()) - text.picture.origin.y,
            opacity: Int(255 - image.color & 255))
    }

    private func picture(_ mark: Mark) throws(LetteringError) -> MeasuredText {
        if let known = pictures[mark] { return known }
        let text = try typesetter.measure(content(mark, em: mark.em * scale))
        pictures[mark] = text
        return text
    }
}

/// Where a rectangle stands in the frame, from how much of its outermost pixels it covers; libass's bitmaps have empty edges, too.
private struct RectanglePlace {
    var left: Double
    var bottom: Double
    var width: Double

    /// - Returns: nil where the bitmap is no rectangle: letters may have the same colour.
    init?(_ image: ASS_Image) {
        guard let bitmap = image.bitmap else { return nil }
        let (columns, rows) = (0..<Int(image.w), 0..<Int(image.h))
        func covered(_ x: Int, _ y: Int) -> Double { Double(bitmap[y * Int(image.stride) + x]) / 255 }
        let across = columns.map { x in rows.reduce(0) { $0 + covered(x, $1) } }
        let down = rows.map { y in columns.reduce(0) { $0 + covered($1, y) } }
        // A rectangle covers as much as its longest row and its longest column make together. One that is so low that no row of it is
        // whole cannot be told from others.
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
            isPlain: style.ScaleX == 1 && style.ScaleY == 1 && style.Angle == 0 && style.Spacing == 0 && style.BorderStyle != 3)
    }
}
