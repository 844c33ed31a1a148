import CPango
package import ExportPlan
package import Vocabulary

/// Draws texts. A typesetter keeps the fonts that it has opened, so that one typesetter for many texts is fast. Only
/// one thread at a time may use it. The same text and fonts give the same bytes on every machine: hinting is off, edges
/// are antialiased in grey, and resolution and language are fixed.
package final class Typesetter {
    private let fonts: FontLibrary
    private let placement: GlyphPlacement
    private let map: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    /// - Throws: `TextRenderingError` `outOfMemory`.
    package init(fonts: FontLibrary, placement: GlyphPlacement = .wholePixels) throws(TextRenderingError) {
        guard let map = spool_font_map_new(fonts.config, 96) else { throw Typesetter.outOfMemory }
        guard let context = pango_font_map_create_context(map) else {
            spool_font_map_free(map)
            throw Typesetter.outOfMemory
        }
        self.fonts = fonts
        self.placement = placement
        self.map = map
        self.context = context
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_subpixel_order(options, CAIRO_SUBPIXEL_ORDER_DEFAULT)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string("en"))
        pango_context_set_base_dir(context, PANGO_DIRECTION_WEAK_LTR)
    }

    deinit {
        let (context, map) = (context, map)
        FontLock.with {
            spool_context_free(context)
            spool_font_map_free(map)
        }
    }

    /// Draws the whole text with its background box, shadow and strokes.
    /// - Throws: `TextRenderingError` `missingFont`, which names the font, `missingGlyph`, which names the characters,
    ///   `invalidFont`, `invalidText`, `overLimit` or `outOfMemory`.
    package func draw(_ content: TextContent) throws(TextRenderingError) -> DrawnPicture {
        try FontLock.with { () throws(TextRenderingError) in try painter(content).picture() }
    }

    /// Draws the whole text and measures its metrics.
    /// - Throws: the same errors as `draw`.
    package func measure(_ content: TextContent) throws(TextRenderingError) -> MeasuredText {
        try FontLock.with { () throws(TextRenderingError) in
            let painter = try painter(content)
            return MeasuredText(picture: try painter.picture(), width: painter.layout.width, baseline: painter.layout.baseline)
        }
    }

    /// The parts of the text that can move by themselves, in the order in which they have to be drawn: background box
    /// and shadow, then all strokes, then all fills, each in reading order. Drawn in their places they look like the
    /// whole text, except for transparent colours and soft edges where parts overlap.
    /// - Throws: the same errors as `draw`.
    package func units(of content: TextContent, by unit: TextUnit) throws(TextRenderingError) -> [DrawnUnit] {
        try FontLock.with { () throws(TextRenderingError) in try painter(content).units(by: unit) }
    }

    /// The font files that a text is drawn with, sorted by name.
    /// - Throws: the same errors as `draw`.
    package func fontFiles(of content: TextContent) throws(TextRenderingError) -> [FontFile] {
        try FontLock.with { () throws(TextRenderingError) in
            var files: Set<FontFile> = []
            for font in try painter(content).layout.fonts { files.insert(try FontFiles.shared.file(of: font)) }
            return files.sorted { ($0.name, $0.contentHash) < ($1.name, $1.contentHash) }
        }
    }

    private static let outOfMemory = TextRenderingError(.outOfMemory, subject: "font map", message: "cannot be set up")

    /// Call it, and use and release what it returns, only while `FontLock` is held.
    private func painter(_ content: TextContent) throws(TextRenderingError) -> TextPainter {
        try content.checkLimits()
        let layout = try TextLayout(content, placement, context: context, fonts: fonts)
        if let planned = content.fonts {
            for font in layout.fonts { try FontFiles.shared.file(of: font).require(among: planned) }
        }
        return TextPainter(layout: layout)
    }
}
