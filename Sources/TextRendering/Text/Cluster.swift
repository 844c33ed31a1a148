import CPango

/// The smallest part of a laid out text that can be drawn alone: glyphs that belong together, in their final position.
/// All lengths are pixels from the box's top left corner.
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

    /// A font of the layout, which lives as long as the layout.
    var font: OpaquePointer
    var glyphs: [cairo_glyph_t]
    /// The offset of its text, in UTF-8 bytes.
    var start: Int
    /// The line number, counted from the top.
    var line: Int
    /// The bounding box of what is drawn.
    var ink: Rect
    /// The box from the line's top to its bottom, as wide as the text's advance.
    var logical: Rect
    /// The index of the run that its text begins in; 0 in a text without runs.
    var run = 0
    /// The rectangle that its run's background fills behind it; nil where the run has none.
    var background: Rect?
    /// The parts of its run's lines under and through the letters.
    var lines: [Rect] = []
    /// Whether its glyphs are pictures instead of outlines, so that colours and strokes do not apply to them.
    var isPicture: Bool
}

extension [Cluster] {
    /// Clusters with neighbours of the same line and font joined, so that there is no seam where letters touch, as in
    /// Arabic.
    var joined: [Cluster] {
        reduce(into: []) { result, next in
            let last = result.count - 1
            guard last >= 0, result[last].font == next.font, result[last].line == next.line, result[last].run == next.run else {
                return result.append(next)
            }
            result[last].glyphs += next.glyphs
            result[last].ink = result[last].ink.union(next.ink)
            result[last].logical = result[last].logical.union(next.logical)
        }
    }
}
