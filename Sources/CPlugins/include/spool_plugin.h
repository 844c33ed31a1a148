// The interface of Spool's own plug-ins, version 1. docs/plugins.md says how to write one; examples/plugins has one.
//
// A plug-in is a shared library with one exported function, `spool_plugin_declaration`. Drafts call it by the name of its
// file without the extension: `glow.so` is `glow`.
//
// What it draws must follow from the arguments of `render` alone: not from earlier frames, the clock, chance, or anything else
// outside of them. Films are cut into segments, which are rendered anywhere and in any order, and single frames of them are
// rendered again. Any function may be called by several threads at once.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SPOOL_PLUGIN_VERSION 1

// What a parameter is. The member of `spool_plugin_value` that holds its value is named behind it.
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
    const char *name;         // as drafts write it; letters and digits are best
    int kind;                 // SPOOL_PLUGIN_NUMBER, ...
    const char *explanation;  // one line, or NULL
    double minimum, maximum;  // of a number, both included
    spool_plugin_value standard;  // what a draft that leaves it out gets
} spool_plugin_parameter;

typedef struct spool_plugin {
    int version;              // SPOOL_PLUGIN_VERSION
    const char *title;        // its name for people
    const char *explanation;  // one line, or NULL
    const char *author;       // or NULL
    int parameter_count;
    const spool_plugin_parameter *parameters;

    // Optional; NULL where there is nothing to prepare. Computes what many frames of this size and with these values share.
    // Returns what `render` gets as `prepared`, or NULL when it cannot.
    void *(*prepare)(int width, int height, const spool_plugin_value *values);

    // Frees what `prepare` has returned. Needed with `prepare`.
    void (*release)(void *prepared);

    // Draws one frame; writes every pixel of `output`.
    //
    // Pixels are four bytes: gamma-encoded red, green, blue (BT.709, full range) and alpha, which the colours are not multiplied
    // by. `stride` is the number of bytes from row to row, top to bottom. `input` and `output` never overlap. `time` is in
    // seconds since the start of the clip, layer or effect. `values` has one for each parameter, in their order.
    void (*render)(void *prepared, int width, int height, size_t stride, double time, const spool_plugin_value *values,
                   const uint8_t *input, uint8_t *output);
} spool_plugin;

// What every plug-in exports.
#ifdef __cplusplus
extern "C"
#endif
    const spool_plugin *
    spool_plugin_declaration(void);
