import CAss
import ExportPlan

/// libass's bitmaps, each of one colour, and the emoji between them, composited into one picture of the rectangle that
/// they cover. The rectangle's edges are even, so that chroma at half the size fits.
struct CaptionBitmap {
    let picture: DrawnPicture

    /// - Returns: nil where no pixel is covered.
    /// - Throws: `TextRenderingError` where an emoji cannot be drawn.
    init?(
        _ images: UnsafeMutablePointer<ASS_Image>?, _ emoji: CaptionEmoji, frame: FrameSize, coversFrame: Bool
    ) throws(TextRenderingError) {
        let found = try CaptionElements(images, emoji, frame: frame)
        let elements = found.elements
        var (left, top, right, bottom) = (Int.max, Int.max, 0, 0)
        for element in elements {
            let edges = element.content.edges
            (left, top) = (min(left, edges.0), min(top, edges.1))
            (right, bottom) = (max(right, edges.2), max(bottom, edges.3))
        }
        guard left < right, top < bottom else { return nil }
        if coversFrame { (left, top, right, bottom) = (0, 0, frame.width, frame.height) }
        (left, top) = (max(0, left) / 2 * 2, max(0, top) / 2 * 2)
        (right, bottom) = (min(frame.width, (right + 1) / 2 * 2), min(frame.height, (bottom + 1) / 2 * 2))
        guard left < right, top < bottom else { return nil }
        var sheet = Sheet(left: left, top: top, width: right - left, height: bottom - top)
        for element in elements {
            sheet.clip = element.clip
            switch element.content {
            case .bitmap(let bitmap): sheet.draw(bitmap)
            case .emoji(let emoji): sheet.draw(emoji)
            }
        }
        picture = DrawnPicture(
            width: sheet.width, height: sheet.height, pixels: sheet.pixels, origin: .init(x: -left, y: -top), boxSize: frame)
    }
}

/// Premultiplied colours in 16 bits. A caption is a fill over an outline over a shadow; in 8 bits each step would
/// round.
private struct Sheet {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    private var samples: [UInt16]
    /// The clip of whatever is drawn next.
    var clip: ClipMask?

    init(left: Int, top: Int, width: Int, height: Int) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
        samples = [UInt16](repeating: 0, count: width * height * 4)
    }

    /// Draws one bitmap over the sheet ("source over"; Porter and Duff, 1984).
    mutating func draw(_ image: ASS_Image) {
        guard image.w > 0, image.h > 0, let bitmap = image.bitmap else { return }
        let opacity = UInt32(255 - image.color & 255)
        let color = (image.color >> 24 & 255, image.color >> 16 & 255, image.color >> 8 & 255)
        let columns = max(left, Int(image.dst_x))..<min(left + width, Int(image.dst_x + image.w))
        let rows = max(top, Int(image.dst_y))..<min(top + height, Int(image.dst_y + image.h))
        guard !columns.isEmpty, !rows.isEmpty, opacity > 0 else { return }
        for y in rows {
            let row = bitmap + (y - Int(image.dst_y)) * Int(image.stride) - Int(image.dst_x)
            for x in columns where row[x] > 0 {
                let coverage = clip.map { UInt32($0.share(x, y)) * UInt32(row[x]) / 255 } ?? UInt32(row[x])
                guard coverage > 0 else { continue }
                // 255 * 255 becomes 65535.
                let alpha = (coverage * opacity * 257 + 127) / 255
                let place = ((y - top) * width + x - left) * 4
                lay(color.0, alpha, place)
                lay(color.1, alpha, place + 1)
                lay(color.2, alpha, place + 2)
                lay(255, alpha, place + 3)
            }
        }
    }

    /// Draws an emoji over the sheet.
    mutating func draw(_ emoji: CaptionEmoji.Placed) {
        let picture = emoji.picture
        let columns = max(left, emoji.x)..<max(max(left, emoji.x), min(left + width, emoji.x + picture.width))
        let rows = max(top, emoji.y)..<max(max(top, emoji.y), min(top + height, emoji.y + picture.height))
        for y in rows {
            for x in columns {
                let from = ((y - emoji.y) * picture.width + x - emoji.x) * 4
                let to = ((y - top) * width + x - left) * 4
                let opacity = clip.map { UInt32($0.share(x, y)) * UInt32(emoji.opacity) / 255 } ?? UInt32(emoji.opacity)
                let rest = 65_535 - UInt32(picture.pixels[from + 3]) * opacity * 257 / 255
                for channel in 0..<4 {
                    let above = UInt32(picture.pixels[from + channel]) * opacity * 257 / 255
                    let below = (UInt32(samples[to + channel]) * rest + 32_767) / 65_535
                    samples[to + channel] = UInt16(min(65_535, above + below))
                }
            }
        }
    }

    private mutating func lay(_ value: UInt32, _ alpha: UInt32, _ place: Int) {
        let above = (value * alpha + 127) / 255
        let below = (UInt32(samples[place]) * (65_535 - alpha) + 32_767) / 65_535
        samples[place] = UInt16(min(65_535, above + below))
    }

    /// The sheet in 8 bits.
    var pixels: [UInt8] { samples.map { UInt8((UInt32($0) * 255 + 32_767) / 65_535) } }
}
