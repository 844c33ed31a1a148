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
/// Rectangles and dots do not follow the size of letters. Where an event animates that size, its marks are made anew for
/// each instant, in the size of that instant.
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
    /// The marks in the order of their numbers: first those that stay, then those of animated events, which belong to
    /// one instant.
    private var marks: [Mark] = []
    private var places: [Mark: EmojiMarkup.Mark] = [:]
    /// The number of marks that stay.
    private var stayingCount = 0
    /// The marks of animated events at the instant that was drawn last.
    private var drawnMarks: [Mark] = []
    private var animated: [EmojiEvent] = []
    private var styles: [EmojiMarkup.Style] = []
    /// The sizes, in pixels of the script, for which the fonts of each emoji are looked up.
    private var fontSizes: [String: Set<Double>] = [:]
    /// The advances of emoji in animated events, in ems; nil for an emoji that cannot be drawn.
    private var advances: [String: Double?] = [:]
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

    /// Replaces the emoji of all events by marks. Repeating it with the same script has the same result. Animated
    /// events get the marks of their start.
    func replace(in track: UnsafeMutablePointer<ASS_Track>) {
        guard track.pointee.PlayResY > 0 else { return }
        scale = Double(frame.height) / Double(track.pointee.PlayResY)
        styles = (0..<Int(track.pointee.n_styles)).map { EmojiMarkup.Style(track.pointee.styles[$0]) }
        chooseReds(track)
        removeAnimatedMarks()
        for index in 0..<Int(track.pointee.n_events) { track.pointee.events[index].ReadOrder *= EventClip.spacing }
        let events = (0..<Int(track.pointee.n_events)).compactMap { EmojiEvent($0, of: track, styles) }
        for event in events where !event.isAnimated { _ = replace(event, in: track) }
        stayingCount = marks.count
        animated = events.filter { $0.isAnimated && replace($0, in: track) }
    }

    /// - Returns: whether the event has emoji that were replaced.
    private func replace(_ event: EmojiEvent, in track: UnsafeMutablePointer<ASS_Track>) -> Bool {
        let marked = event.marked(in: track, at: nil, among: styles, limit: EmojiMarkup.limit) { place in
            mark(place, isAnimated: event.isAnimated)
        }
        guard let marked else { return false }
        event.write(marked, to: track)?.add(to: track, around: event.index, red: red + CaptionEmoji.redCount - 1)
        return true
    }

    /// Gives the marks of animated events the size that letters have at an instant. It has to be called before libass
    /// draws that instant.
    /// - Parameter time: milliseconds of the script.
    /// - Returns: whether they are not the same marks as at the last call.
    func resize(in track: UnsafeMutablePointer<ASS_Track>, at time: Int64) -> Bool {
        guard !animated.isEmpty else { return false }
        removeAnimatedMarks()
        for event in animated where event.isSeen(in: track, at: time) {
            // An event that was replaced once is replaced always, whatever the length of its marks.
            let marked = event.marked(in: track, at: time, among: styles, limit: .max) { mark($0, isAnimated: true) }
            if let marked { event.write(marked, to: track) }
        }
        guard marks[stayingCount...] != drawnMarks[...] else { return false }
        drawnMarks = Array(marks[stayingCount...])
        pictures = pictures.filter { places[$0.key.mark] != nil }
        return true
    }

    private func removeAnimatedMarks() {
        for mark in marks[stayingCount...] { places[mark] = nil }
        marks.removeSubrange(stayingCount...)
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

    private func mark(_ place: EmojiMarkup.Place, isAnimated: Bool) -> EmojiMarkup.Mark? {
        // A font gives the height of its lines in hundredths; rounding to quarters of a pixel restores the requested
        // size.
        let line = line(of: place.font)
        var em = (place.size / line.height * 4).rounded() / 4
        // An emoji that is replaced at one instant is replaced at all others, because no other font is planned for it.
        if isAnimated { em = max(CaptionEmoji.animatedEms.lowerBound, min(em, CaptionEmoji.animatedEms.upperBound)) }
        guard em.isFinite, em > 0 else { return nil }
        // Some dots may be missing, so that more neighbours need different colours.
        let mark = Mark(
            cluster: place.cluster, em: em, number: place.index % (place.usesMarkerGrid ? 16 : 2),
            usesMarkerGrid: place.usesMarkerGrid,
            isBoxed: place.isBoxed)
        if let known = places[mark] { return known }
        // An emoji that cannot be drawn is left to libass, and reported with the other characters that no font has.
        guard marks.count < 1 << 16,
            let width = isAnimated ? advance(mark.cluster).map({ $0 * em }) : measuredWidth(mark.cluster, em: em)
        else { return nil }
        fontSizes[mark.cluster, default: []].insert(isAnimated ? CaptionEmoji.measuredEm : em)
        let found = EmojiMarkup.Mark(
            color: (red + (place.usesMarkerGrid ? 1 : 0)) << 16 | marks.count, width: width,
            height: em * CaptionEmoji.height,
            lattice: place.usesMarkerGrid
                ? MarkerGrid(width: width, em: em, ascent: place.size * line.ascentShare, isNarrow: place.isBoxed) : nil,
            ascent: line.ascentShare)
        marks.append(mark)
        places[mark] = found
        return found
    }

    /// The advance to the next letter; nil where the emoji cannot be drawn.
    private func measuredWidth(_ cluster: String, em: Double) -> Double? {
        guard let text = try? typesetter.measure(content(cluster, em: em)), text.width > 0 else { return nil }
        return text.width
    }

    /// The advance to the next letter in ems, which is the same at all sizes; nil where the emoji cannot be drawn.
    private func advance(_ cluster: String) -> Double? {
        if let known = advances[cluster] { return known }
        let found = measuredWidth(cluster, em: CaptionEmoji.measuredEm).map { $0 / CaptionEmoji.measuredEm }
        advances.updateValue(found, forKey: cluster)
        return found
    }

    /// The em for which emoji of animated events are measured, in pixels.
    private static let measuredEm = 256.0
    /// The limits on the em of emoji in animated events, in pixels of the script. Smaller ones are not seen, and larger
    /// ones are more than fonts may be.
    private static let animatedEms = 0.25...largestPicture

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
    private func content(_ cluster: String, em: Double) -> TextContent {
        TextContent(text: cluster, font: "Sans \(em)", color: color)
    }

    // MARK: Pictures

    /// The font files of all emoji.
    func fontFiles() throws(TextRenderingError) -> Set<FontFile> {
        var files: Set<FontFile> = []
        for (cluster, sizes) in fontSizes.sorted(by: { $0.key < $1.key }) {
            for em in sizes.sorted() { files.formUnion(try typesetter.fontFiles(of: content(cluster, em: em))) }
        }
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
        if size <= CaptionEmoji.largestPicture,
            [across.x - size, across.y, along.x, along.y - size].allSatisfy({ abs($0) < 0.25 })
        {
            return placed(try picture(mark, scale: scale), origin.x, origin.y, opacity: found.meanOpacity)
        }
        // The picture is drawn at least as large as it is shown, but less than twice as large.
        let largest = max(across.x * across.x + across.y * across.y, along.x * along.x + along.y * along.y).squareRoot() / size
        var step = 1.0
        while step < largest, size * step < CaptionEmoji.largestEm { step *= 2 }
        while step / 2 >= largest, size * step > 8 { step /= 2 }
        while size * step > CaptionEmoji.largestPicture { step /= 2 }
        let text = try picture(mark, scale: scale * step)
        guard let placed = EmojiPicture.placed(text, scale: scale * step, projection, within: bounds) else { return nil }
        return Placed(picture: placed.picture, x: placed.x, y: placed.y, opacity: found.meanOpacity)
    }

    /// Pictures that are stretched are drawn up to about this em size, in pixels.
    private static let largestEm = 512.0
    /// The limit on the em size of a picture, in pixels, which is that of fonts. Larger ones are stretched.
    private static let largestPicture = 4000.0

    private func picture(_ mark: Mark, scale: Double) throws(TextRenderingError) -> MeasuredText {
        let size = PictureSize(mark: mark, scale: scale)
        if let known = pictures[size] { return known }
        let text = try typesetter.measure(content(mark.cluster, em: mark.em * scale))
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
