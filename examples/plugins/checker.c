// An example of a mixer for Spool: squares of a checkerboard turn from the first picture to the second one, first those
// of one colour and then the others. docs/plugins.md says how to build and call it.
#include "spool_plugin.h"

#include <string.h>

static const spool_plugin_parameter parameters[] = {
    {.name = "progress",
     .kind = SPOOL_PLUGIN_NUMBER,
     .explanation = "0 is the first picture, 1 the second one",
     .minimum = 0,
     .maximum = 1,
     .standard = {.number = 0.5}},
};

static void mix(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                const uint8_t *first, const uint8_t *second, uint8_t *output) {
    (void)prepared, (void)time;
    const double progress = values[0].number;
    const int side = height < 8 ? 1 : height / 8;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const int is_black = (x / side + y / side) % 2;
            // Each square is uncovered from its left edge; those of one colour in the first half, the others in the second.
            const double own = progress * 2 - is_black;
            const int is_second = (x % side + 0.5) / side < own;
            const size_t place = (size_t)y * stride + 4 * (size_t)x;
            memcpy(output + place, (is_second ? second : first) + place, 4);
        }
    }
}

const spool_plugin *spool_plugin_declaration(void) {
    static const spool_plugin plugin = {
        .version = SPOOL_PLUGIN_VERSION,
        .title = "Checkerboard",
        .explanation = "Uncovers the second picture square by square.",
        .author = "Spool",
        .parameter_count = 1,
        .parameters = parameters,
        .kind = SPOOL_PLUGIN_MIXER,
        .mix = mix,
    };
    return &plugin;
}
