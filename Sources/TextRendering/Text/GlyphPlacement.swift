/// Where a glyph is drawn whose position lies between pixels.
package enum GlyphPlacement: Sendable {
    /// On the nearest whole pixel; halves are rounded to the right and down. The same glyph looks the same everywhere,
    /// and a text is the same as that of Pango's own renderer with cairo up to 1.16.
    case wholePixels
    /// At its exact position, as a filled outline, so that slowly moving glyphs do not jump from pixel to pixel.
    case exact

    /// - Parameter place: a coordinate in pixels.
    func place(_ place: Double) -> Double { self == .exact ? place : (place + 0.5).rounded(.down) }
}
