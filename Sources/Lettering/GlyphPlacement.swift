/// Where a glyph is drawn that belongs between pixels.
public enum GlyphPlacement: Sendable {
    /// On the nearest whole pixel, halves to the right and downwards: the same glyph looks the same everywhere, and a text is
    /// the one that Pango's own painter draws with cairo up to 1.16.
    case wholePixels
    /// Where it belongs, its outline filled: glyphs that move slowly do not jump from pixel to pixel.
    case exact

    /// - Parameter place: in pixels.
    func place(_ place: Double) -> Double { self == .exact ? place : (place + 0.5).rounded(.down) }
}
