// Pango, cairo and fontconfig as Swift sees them. GObject's casts are macros, which Swift does not import, so each cast
// that is needed has an inline twin here, whose name starts with `spool_`.
#pragma once

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <hb-ot.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>

static const PangoGlyph spool_glyph_empty = PANGO_GLYPH_EMPTY;
static const PangoGlyph spool_glyph_unknown_flag = PANGO_GLYPH_UNKNOWN_FLAG;

// A font map that finds its fonts in `config`, and keeps a reference to it.
static inline PangoFontMap *spool_font_map_new(FcConfig *config, double resolution) {
    PangoFontMap *map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    if (map == NULL) return NULL;
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), resolution);
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
    return map;
}

static inline void spool_font_map_free(PangoFontMap *map) { g_object_unref(map); }
// Makes a font map the one of this thread that libraries find; NULL makes it Pango's own again.
static inline void spool_font_map_make_default(PangoFontMap *map) {
    pango_cairo_font_map_set_default(map == NULL ? NULL : PANGO_CAIRO_FONT_MAP(map));
}
static inline void spool_context_free(PangoContext *context) { g_object_unref(context); }
static inline void spool_font_free(PangoFont *font) { g_object_unref(font); }
static inline void spool_layout_free(PangoLayout *layout) { g_object_unref(layout); }

// Cairo's scaled font for a font of a layout; it lives as long as the font.
static inline cairo_scaled_font_t *spool_scaled_font(PangoFont *font) {
    return pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font));
}

// Fontconfig's pattern of a font of a layout; it lives as long as the font.
static inline FcPattern *spool_font_pattern(PangoFont *font) {
    return pango_fc_font_get_pattern(PANGO_FC_FONT(font));
}
