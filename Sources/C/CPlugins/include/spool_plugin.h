// The interface of Spool's own plug-ins, version 2. docs/plugins.md says how to write one; examples/plugins has one.
//
// A plug-in is a shared library with one exported function, `spool_plugin_declaration`. Drafts call it by the name of its
// file without the extension: `glow.so` is `glow`.
//
// The output must depend only on the arguments of `render` or `mix`: not on earlier frames, the clock, random numbers or
// anything else. Films are cut into segments, which are rendered on any machine and in any order, and single frames are
// rendered again. Several threads may call any function at the same time.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Version 1 ended before `kind`, and all its plug-ins are filters. Libraries that were built for it are still called.
#define SPOOL_PLUGIN_VERSION 2

// The kinds of plug-ins.
#define SPOOL_PLUGIN_FILTER 0     // makes a picture of another one
#define SPOOL_PLUGIN_GENERATOR 1  // makes a picture of nothing
#define SPOOL_PLUGIN_MIXER 2      // makes a picture of two others

// The types of a parameter. The members of `spool_plugin_value` that hold the value are named beside each.
#define SPOOL_PLUGIN_NUMBER 0    // number: from the parameter's minimum to its maximum
#define SPOOL_PLUGIN_BOOL 1      // number: 0 or 1
#define SPOOL_PLUGIN_COLOR 2     // red, green, blue: 0 to 1
#define SPOOL_PLUGIN_POSITION 3  // x, y: 0 to 1 from the picture's top left corner
#define SPOOL_PLUGIN_TEXT 4      // text: UTF-8, ends with a zero, never NULL

typedef struct spool_plugin_value {
    double number;
    double x, y;
    float red, green, blue;
    const char *text;
} spool_plugin_value;

typedef struct spool_plugin_parameter {
    const char *name;         // the name in drafts; letters and digits are best
    int kind;                 // SPOOL_PLUGIN_NUMBER, ...
    const char *explanation;  // one line, or NULL
    double minimum, maximum;  // the range of a number, both ends included
    spool_plugin_value standard;  // the value for drafts that leave it out
} spool_plugin_parameter;

typedef struct spool_plugin {
    int version;              // SPOOL_PLUGIN_VERSION
    const char *title;        // its name for people
    const char *explanation;  // one line, or NULL
    const char *author;       // or NULL
    int parameter_count;
    const spool_plugin_parameter *parameters;

    // Optional; NULL where there is nothing to prepare. Computes what all frames of this size and with these values
    // share. Returns the `prepared` argument of `render` and `mix`, or NULL on failure. A transition's progress is one of
    // the values, so that it is called for each of its frames.
    void *(*prepare)(int width, int height, const spool_plugin_value *values);

    // Frees the result of `prepare`. Required with `prepare`.
    void (*release)(void *prepared);

    // Draws one frame of a filter or a generator, whose `input` is NULL; writes every pixel of `output`.
    //
    // Pixels are four bytes: gamma-encoded red, green and blue (full range, with the primaries of the film; what a
    // generator draws is taken as sRGB) and alpha; colours are not premultiplied. `stride` is the number of bytes from one row to the next, top to bottom. `input` and `output`
    // never overlap. `time` is in seconds since the start of the clip, layer, effect or transition; of a generator's
    // clip or layer it runs at the speed at which that plays. `values` has one value for each parameter, in order.
    void (*render)(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                   const uint8_t *input, uint8_t *output);

    int kind;  // SPOOL_PLUGIN_FILTER, ...

    // Draws one frame of a mixer, in the place of `render`; NULL for the other kinds. In a transition `first` is the
    // outgoing picture and `second` the incoming one; as a blend mode, what lies below and the layer's picture. The
    // pictures are like those of `render` and have one size.
    void (*mix)(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                const uint8_t *first, const uint8_t *second, uint8_t *output);
} spool_plugin;

// The function that every plug-in exports.
#ifdef __cplusplus
extern "C"
#endif
    const spool_plugin *
    spool_plugin_declaration(void);
