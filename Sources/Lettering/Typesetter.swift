import CPango
public import ExportPlan
public import Vocabulary

/// Draws texts. It keeps the fonts that it has opened, so one typesetter for many texts is fast; it belongs to one thread at a
/// time. The same text and the same fonts give the same bytes on every machine: nothing is hinted, edges are grey, and
/// neither the resolution nor the language comes from outside.
public final class Typesetter {
    private let fonts: FontLibrary
    private let placement: GlyphPlacement
    private let map: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    /// - Throws: `LetteringError` `outOfMemory`.
    public init(fonts: FontLibrary, placement: GlyphPlacement = .wholePixels) throws(LetteringError) {
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

    /// The whole text with its background box, shadow and strokes.
    /// - Throws: `LetteringError`: `missingFont` names the font, `missingGlyph` the characters; `invalidFont`,
    ///   `invalidText`, `overLimit`, `outOfMemory`.
    public func draw(_ content: TextContent) throws(LetteringError) -> DrawnPicture {
        try FontLock.with { () throws(LetteringError) in try painter(content).picture() }
    }

    /// The whole text, and where its first line stands.
    /// - Throws: as `draw`.
    public func measure(_ content: TextContent) throws(LetteringError) -> MeasuredText {
        try FontLock.with { () throws(LetteringError) in
            let painter = try painter(content)
            return MeasuredText(picture: try painter.picture(), width: painter.layout.width, baseline: painter.layout.baseline)
        }
    }

    /// The text in pieces that can move by themselves, in the order in which they have to be drawn: background box and
    /// shadow, then all strokes, then all fillings, each in reading order. Drawn in their places they give the whole text
    /// again, but for see-through colours and soft edges where pieces overlap.
    /// - Throws: as `draw`.
    public func units(of content: TextContent, by unit: TextUnit) throws(LetteringError) -> [DrawnUnit] {
        try FontLock.with { () throws(LetteringError) in try painter(content).units(by: unit) }
    }

    /// The font files that a text is drawn with, by their names.
    /// - Throws: as `draw`.
    public func fontFiles(of content: TextContent) throws(LetteringError) -> [FontFile] {
        try FontLock.with { () throws(LetteringError) in
            var files: Set<FontFile> = []
            for font in try painter(content).layout.fonts { files.insert(try FontFiles.shared.file(of: font)) }
            return files.sorted { ($0.name, $0.contentHash) < ($1.name, $1.contentHash) }
        }
    }

    private static let outOfMemory = LetteringError(.outOfMemory, subject: "font map", message: "cannot be set up")

    /// Within the lock, as all that is done with what it returns, until that is gone.
    private func painter(_ content: TextContent) throws(LetteringError) -> TextPainter {
        try content.checkLimits()
        let layout = try TextLayout(content, placement, context: context, fonts: fonts)
        if let planned = content.fonts {
            for font in layout.fonts { try FontFiles.shared.file(of: font).require(among: planned) }
        }
        return TextPainter(layout: layout)
    }
}
