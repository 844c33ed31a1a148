// An example of a generator for Spool: rays around the middle of the picture, which turn. docs/plugins.md says how to
// build and call it.
#include "spool_plugin.h"

#include <math.h>

static const spool_plugin_parameter parameters[] = {
    {.name = "count",
     .kind = SPOOL_PLUGIN_NUMBER,
     .explanation = "how many rays there are",
     .minimum = 1,
     .maximum = 60,
     .standard = {.number = 12}},
    {.name = "turns",
     .kind = SPOOL_PLUGIN_NUMBER,
     .explanation = "turns in ten seconds",
     .minimum = -10,
     .maximum = 10,
     .standard = {.number = 1}},
    {.name = "bright", .kind = SPOOL_PLUGIN_COLOR, .standard = {.red = 1, .green = 0.8f, .blue = 0.3f}},
    {.name = "dark", .kind = SPOOL_PLUGIN_COLOR, .standard = {.red = 0.9f, .green = 0.3f, .blue = 0.1f}},
};

static uint8_t byte(double value) { return (uint8_t)(value * 255 + 0.5); }

static void render(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                   const uint8_t *input, uint8_t *output) {
    (void)prepared, (void)input;
    const double count = floor(values[0].number), turn = values[1].number * time / 10;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const double angle = atan2(y + 0.5 - height / 2.0, x + 0.5 - width / 2.0) / (2 * acos(-1)) - turn;
            // 0 in the middle of a dark ray, 1 in the middle of a bright one; squared twice for a soft edge.
            const double wave = 0.5 + 0.5 * cos(2 * acos(-1) * angle * count);
            const double share = wave * wave * (3 - 2 * wave);
            const spool_plugin_value *bright = values + 2, *dark = values + 3;
            uint8_t *to = output + (size_t)y * stride + 4 * (size_t)x;
            to[0] = byte(dark->red + (bright->red - dark->red) * share);
            to[1] = byte(dark->green + (bright->green - dark->green) * share);
            to[2] = byte(dark->blue + (bright->blue - dark->blue) * share);
            to[3] = 255;
        }
    }
}

const spool_plugin *spool_plugin_declaration(void) {
    static const spool_plugin plugin = {
        .version = SPOOL_PLUGIN_VERSION,
        .title = "Rays",
        .explanation = "Draws rays that turn around the middle.",
        .author = "Spool",
        .parameter_count = 4,
        .parameters = parameters,
        .kind = SPOOL_PLUGIN_GENERATOR,
        .render = render,
    };
    return &plugin;
}
