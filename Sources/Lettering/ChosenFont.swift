import CPango
public import ExportPlan

/// A font description in the terms of libraries that are not Pango: which font it means on this machine, and how large.
public struct ChosenFont: Sendable, Equatable {
    /// The first family that is here.
    public var family: String
    /// 100...1000; 400 is regular, 700 bold.
    public var weight: Int
    public var isItalic: Bool
    /// Height of an em, in pixels.
    public var size: Double
    /// What Windows takes for a line, as a factor of the em: usWinAscent and usWinDescent of OpenType's table `OS/2`.
    public var lineHeight: Double
    /// How much of that is above the baseline, 0...1.
    public var ascentShare: Double

    /// - Parameter description: Pango's, whose size is in pixels: "Sans Bold 48".
    /// - Throws: `LetteringError` `missingFont`, which names the family, `invalidFont`, `outOfMemory`.
    public init(_ description: String, in library: FontLibrary) throws(LetteringError) {
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
        // A font without any of it has lines of one em.
        lineHeight = down != 0 && height > 0 ? height / Double(abs(down)) : 1
        ascentShare = height > 0 ? Double(abs(ascent)) / height : 1
    }

    private static func unusable(_ description: String) -> LetteringError {
        LetteringError(.outOfMemory, subject: description, message: "cannot be opened")
    }
}
