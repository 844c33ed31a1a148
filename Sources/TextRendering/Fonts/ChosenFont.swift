import CPango
import ExportPlan

/// A font description in terms that other libraries than Pango understand: which installed font it means, and its size.
package struct ChosenFont: Sendable, Equatable {
    /// The first installed family of the description.
    package var family: String
    /// 100...1000; 400 is regular, 700 bold.
    package var weight: Int
    package var isItalic: Bool
    /// The height of an em, in pixels.
    package var size: Double
    /// The height of a line on Windows as a factor of the em: usWinAscent plus usWinDescent of OpenType's table `OS/2`.
    package var lineHeight: Double
    /// The part of the line height above the baseline, 0...1.
    package var ascentShare: Double

    /// - Parameter description: a Pango font description with a size in pixels: "Sans Bold 48".
    /// - Throws: `TextRenderingError` `missingFont`, which names the family, `invalidFont` or `outOfMemory`.
    package init(_ description: String, in library: FontLibrary) throws(TextRenderingError) {
        let choice = try FontChoice(description, in: library)
        family = choice.family
        weight = Int(pango_font_description_get_weight(choice.description).rawValue)
        isItalic = pango_font_description_get_style(choice.description) != PANGO_STYLE_NORMAL
        size = Double(pango_font_description_get_size(choice.description)) / Double(PANGO_SCALE)
        guard let map = spool_font_map_new(library.config, 96) else { throw ChosenFont.unusable(description) }
        defer { spool_font_map_free(map) }
        guard let context = pango_font_map_create_context(map) else { throw ChosenFont.unusable(description) }
        defer { spool_context_free(context) }
        guard let font = pango_font_map_load_font(map, context, choice.description) else {
            throw ChosenFont.unusable(description)
        }
        defer { spool_font_free(font) }
        let shaper = pango_font_get_hb_font(font)
        var (across, down) = (Int32(0), Int32(0))
        var (ascent, descent) = (hb_position_t(0), hb_position_t(0))
        hb_font_get_scale(shaper, &across, &down)
        hb_ot_metrics_get_position_with_fallback(shaper, HB_OT_METRICS_TAG_HORIZONTAL_CLIPPING_ASCENT, &ascent)
        hb_ot_metrics_get_position_with_fallback(shaper, HB_OT_METRICS_TAG_HORIZONTAL_CLIPPING_DESCENT, &descent)
        let height = Double(abs(ascent)) + Double(abs(descent))
        // A font without these metrics has lines of one em.
        lineHeight = down != 0 && height > 0 ? height / Double(abs(down)) : 1
        ascentShare = height > 0 ? Double(abs(ascent)) / height : 1
    }

    private static func unusable(_ description: String) -> TextRenderingError {
        TextRenderingError(.outOfMemory, subject: description, message: "cannot be opened")
    }
}
