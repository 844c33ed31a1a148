import CAss
import ExportPlan
import Lettering

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The emoji of captions, drawn as those of texts are: libass has one colour for a glyph. It is given a rectangle in place of each, whose
/// colour says which it is (`EmojiMarkup`), and where it has put that, the typesetter's picture is drawn. In events that may turn, stretch
/// or move what they show it is given dots instead, which say how it has done so (`EmojiLattice`). What cuts such an event is taken out of
/// it and drawn as a picture of its own, because the dots have to be seen and the emoji reach beyond them (`EventClip`).
/// `CaptionPainter` owns one.
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
        var number: Int
        var isLattice: Bool
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
    /// Of captions without styles of their own; a font without colours draws emoji in it.
    private let color: RGBAColor
    private let frame: FrameSize
    private var marks: [Mark] = []
    private var places: [Mark: EmojiMarkup.Mark] = [:]
    private var lines: [String: (height: Double, ascentShare: Double)] = [:]
    private var pictures: [PictureSize: MeasuredText] = [:]
    /// The first of the reds by which marks are known: the rectangles' own; the dots' and that of clips follow.
    private var red = CaptionEmoji.usualRed
    /// Pixels of the frame for one of the script.
    private var scale = 1.0

    /// - Throws: `LetteringError` `outOfMemory`.
    init(_ fonts: FontLibrary, _ color: RGBAColor, frame: FrameSize) throws(LetteringError) {
        typesetter = try Typesetter(fonts: fonts)
        self.fonts = fonts
        self.color = RGBAColor(red: color.red, green: color.green, blue: color.blue, alpha: 255)
        self.frame = frame
    }

    private static let usualRed = 0x5B
    /// A rectangle, the dots, and what clips are known by.
    private static let redCount = EmojiLattice.count + 2
    /// The rectangle's height: no line grows by it.
    private static let height = 0.5

    private struct PictureSize: Hashable {
        var mark: Mark
        /// Pixels of the frame for one of the script.
        var scale: Double
    }

    // MARK: Marks

    /// Puts marks in place of the emoji of all events. Done again with the same script, it does the same.
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

    /// Reds that the script itself does not use: its own letters are never taken for marks.
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
                // Blue, green, red.
                if let number = Int(part.dropFirst().prefix { $0.isHexDigit }.suffix(6), radix: 16) { used.insert(number & 255) }
            }
        }
        let starts = 0...(256 - CaptionEmoji.redCount)
        func isFree(_ start: Int) -> Bool { used.isDisjoint(with: start..<start + CaptionEmoji.redCount) }
        red = isFree(CaptionEmoji.usualRed) ? CaptionEmoji.usualRed : starts.first(where: isFree) ?? CaptionEmoji.usualRed
    }

    private func place(_ place: EmojiMarkup.Place) -> EmojiMarkup.Mark? {
        // A font says in hundredths how high its lines are: quarters of a pixel bring back the size that was asked for.
        let line = line(of: place.font)
        let em = (place.size / line.height * 4).rounded() / 4
        guard em.isFinite, em > 0 else { return nil }
        // Some dots may be missing, so that more neighbours have to differ in colour.
        let mark = Mark(
            cluster: place.cluster, em: em, number: place.index % (place.isLattice ? 16 : 2), isLattice: place.isLattice,
            isBoxed: place.isBoxed)
        if let known = places[mark] { return known }
        // What cannot be drawn is left to libass, and named with the other characters that no font has.
        guard marks.count < 1 << 16, let text = try? typesetter.measure(content(mark, em: em)), text.width > 0 else { return nil }
        let found = EmojiMarkup.Mark(
            color: (red + (place.isLattice ? 1 : 0)) << 16 | marks.count, width: text.width, height: em * CaptionEmoji.height,
            lattice: place.isLattice
                ? EmojiLattice(
                    width: text.width, em: em, ascent: place.size * line.ascentShare, isNarrow: place.isBoxed) : nil,
            ascent: line.ascentShare)
        marks.append(mark)
        places[mark] = found
        return found
    }

    /// libass takes a size for the height of a line.
    private func line(of family: String) -> (height: Double, ascentShare: Double) {
        if let known = lines[family] { return known }
        let name = family.hasPrefix("@") ? String(family.dropFirst()) : family
        // A family that is not here is reported with all others.
        let line = (try? ChosenFont("\(name) 100", in: fonts)).map { ($0.lineHeight, $0.ascentShare) } ?? (1, 0.8)
        lines[family] = line
        return line
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

    /// What a bitmap of libass stands for; nil of letters.
    func meaning(of image: ASS_Image) -> Meaning? {
        let color = Int(image.color >> 8)
        let (kind, number) = (color >> 16 - red, color & 0xFFFF)
        if kind == CaptionEmoji.redCount - 1 { return EventClip.Sign(rawValue: number).map { .clip($0) } }
        guard marks.indices.contains(number), image.w > 0, image.h > 0 else { return nil }
        if kind == 0, !marks[number].isLattice { return .rectangle }
        return (1...EmojiLattice.count).contains(kind) && marks[number].isLattice ? .dot(kind - 1, mark: number) : nil
    }

    /// The picture whose place a rectangle is; nil of what is none.
    func placed(_ image: ASS_Image) throws(LetteringError) -> Placed? {
        let text = try picture(marks[Int(image.color >> 8) & 0xFFFF], scale: scale)
        guard let place = RectanglePlace(image), place.width <= text.width + 1 else { return nil }
        // Where the frame cuts the rectangle, its other end says where it is.
        let isCut = place.left <= 0 && place.width < text.width - 1
        let left = isCut ? place.width - text.width : place.left
        return placed(text, left, place.bottom, opacity: Int(255 - image.color & 255))
    }

    private func placed(_ text: MeasuredText, _ left: Double, _ baseline: Double, opacity: Int) -> Placed {
        Placed(
            picture: text.picture, x: Int(left.rounded()) - text.picture.origin.x,
            y: Int(baseline.rounded()) - Int(text.baseline.rounded()) - text.picture.origin.y, opacity: opacity)
    }

    /// The picture that dots stand around; nil where nothing of it is seen.
    /// - Parameter bounds: the part of the frame that may be seen.
    func placed(_ found: FoundLattice, within bounds: EdgeBox) throws(LetteringError) -> Placed? {
        let mark = marks[found.mark]
        guard let lattice = places[mark]?.lattice, found.meanOpacity > 0, let projection = found.projection(lattice),
            let origin = projection.apply(0, 0), let right = projection.apply(mark.em, 0), let down = projection.apply(0, mark.em)
        else { return nil }
        let across = (x: right.x - origin.x, y: right.y - origin.y)
        let along = (x: down.x - origin.x, y: down.y - origin.y)
        let size = mark.em * scale
        // What is only moved is as sharp as everywhere else.
        if [across.x - size, across.y, along.x, along.y - size].allSatisfy({ abs($0) < 0.25 }) {
            return placed(try picture(mark, scale: scale), origin.x, origin.y, opacity: found.meanOpacity)
        }
        // Drawn at least as large as it is shown, and less than twice as large.
        let largest = max(across.x * across.x + across.y * across.y, along.x * along.x + along.y * along.y).squareRoot() / size
        var step = 1.0
        while step < largest, size * step < CaptionEmoji.largestEm { step *= 2 }
        while step / 2 >= largest, size * step > 8 { step /= 2 }
        let text = try picture(mark, scale: scale * step)
        guard let placed = EmojiPicture.placed(text, scale: scale * step, projection, within: bounds) else { return nil }
        return Placed(picture: placed.picture, x: placed.x, y: placed.y, opacity: found.meanOpacity)
    }

    /// Pictures for what is stretched are drawn up to about this size.
    private static let largestEm = 512.0

    private func picture(_ mark: Mark, scale: Double) throws(LetteringError) -> MeasuredText {
        let size = PictureSize(mark: mark, scale: scale)
        if let known = pictures[size] { return known }
        let text = try typesetter.measure(content(mark, em: mark.em * scale))
        pictures[size] = text
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
            isPlain: style.ScaleX == 1 && style.ScaleY == 1 && style.Angle == 0 && style.Spacing == 0 && style.BorderStyle != 3,
            hasBoxes: style.BorderStyle == 3)
    }
}
