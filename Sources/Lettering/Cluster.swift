import CPango

/// The smallest piece of a laid out text that can be drawn alone: glyphs that belong together, in their final place. All
/// lengths are pixels from the box's top left corner.
struct Cluster {
    struct Rect {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        func union(_ other: Rect) -> Rect {
            let (left, top) = (min(x, other.x), min(y, other.y))
            return Rect(
                x: left, y: top, width: max(x + width, other.x + other.width) - left,
                height: max(y + height, other.y + other.height) - top)
        }
    }

    /// Of its layout's fonts, which live as long as the layout.
    var font: OpaquePointer
    var glyphs: [cairo_glyph_t]
    /// Where its text starts, in UTF-8 bytes.
    var start: Int
    /// Counted from the top.
    var line: Int
    /// Around what is drawn.
    var ink: Rect
    /// From the line's top to its bottom, as wide as the text goes on.
    var logical: Rect
    /// Its glyphs are pictures, not outlines: colours and strokes leave them alone.
    var isPicture: Bool
}

extension [Cluster] {
    /// Neighbours on one line of one font in one piece: where letters touch, as Arabic ones do, there is no seam.
    var joined: [Cluster] {
        reduce(into: []) { result, next in
            let last = result.count - 1
            guard last >= 0, result[last].font == next.font, result[last].line == next.line else { return result.append(next) }
            result[last].glyphs += next.glyphs
            result[last].ink = result[last].ink.union(next.ink)
            result[last].logical = result[last].logical.union(next.logical)
        }
    }
}
