// An example of a plug-in for Spool: mixes the picture with its negative. docs/plugins.md says how to build and call it.
#include "spool_plugin.h"

static const spool_plugin_parameter parameters[] = {
    {.name = "amount",
     .kind = SPOOL_PLUGIN_NUMBER,
     .explanation = "0 is the picture, 1 its negative",
     .minimum = 0,
     .maximum = 1,
     .standard = {.number = 1}},
    {.name = "keepGreen", .kind = SPOOL_PLUGIN_BOOL, .explanation = "leaves the green channel alone"},
};

static void render(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                   const uint8_t *input, uint8_t *output) {
    (void)prepared, (void)time;
    const double amount = values[0].number;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *from = input + (size_t)y * stride + 4 * (size_t)x;
            uint8_t *to = output + (size_t)y * stride + 4 * (size_t)x;
            for (int channel = 0; channel < 3; channel++) {
                const int keeps = channel == 1 && values[1].number != 0;
                const double mixed = from[channel] + (255.0 - 2.0 * from[channel]) * amount;
                to[channel] = keeps ? from[channel] : (uint8_t)(mixed + 0.5);
            }
            to[3] = from[3];  // not changing alpha keeps what is transparent so
        }
    }
}

const spool_plugin *spool_plugin_declaration(void) {
    static const spool_plugin plugin = {
        .version = SPOOL_PLUGIN_VERSION,
        .title = "Negative",
        .explanation = "Mixes the picture with its negative.",
        .author = "Spool",
        .parameter_count = 2,
        .parameters = parameters,
        .render = render,
    };
    return &plugin;
}
