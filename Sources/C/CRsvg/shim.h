// librsvg as Swift sees it. Swift takes cairo's and GLib's names from CPango, so what needs them is done here, by functions
// whose names start with `spool_`.
#pragma once

#include <gio/gio.h>
#include <librsvg/rsvg.h>
#include <stdint.h>
#include <string.h>

static inline void spool_svg_free(RsvgHandle *handle) { g_object_unref(handle); }

// Frees an error, after writing the first line of its message as UTF-8 that ends in a zero byte.
static inline void spool_svg_take_message(GError *error, char *text, size_t size) {
    const char *message = error == NULL || error->message == NULL ? "librsvg gives no reason" : error->message;
    size_t length = strcspn(message, "\r\n");
    if (length >= size) length = size - 1;
    memcpy(text, message, length);
    text[length] = 0;
    if (error != NULL) g_error_free(error);
}

// The result of a drawing.
typedef enum { SPOOL_SVG_DRAWN, SPOOL_SVG_NO_MEMORY, SPOOL_SVG_FAILED } spool_svg_result;

// Draws a document of `width` x `height` pixels with factors and an offset into words 0xAARRGGBB, which are transparent
// before, with `stride` bytes to a row. The error is set where the result is SPOOL_SVG_FAILED, and the caller frees it.
static inline spool_svg_result spool_svg_draw(
    RsvgHandle *handle, double width, double height, double scale_x, double scale_y, double x, double y, uint32_t *words,
    int columns, int rows, int stride, GError **error) {
    spool_svg_result result = SPOOL_SVG_NO_MEMORY;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data((unsigned char *)words, CAIRO_FORMAT_ARGB32, columns, rows, stride);
    cairo_t *context = cairo_create(surface);
    if (cairo_status(context) == CAIRO_STATUS_SUCCESS) {
        cairo_scale(context, scale_x, scale_y);
        cairo_translate(context, -x, -y);
        const RsvgRectangle viewport = {0, 0, width, height};
        gboolean is_drawn = rsvg_handle_render_document(handle, context, &viewport, error);
        cairo_status_t status = cairo_status(context);
        if (is_drawn && status != CAIRO_STATUS_SUCCESS)
            g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, cairo_status_to_string(status));
        result = is_drawn && status == CAIRO_STATUS_SUCCESS ? SPOOL_SVG_DRAWN : SPOOL_SVG_FAILED;
    }
    cairo_destroy(context);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    return result;
}

// Reads a document without a base address, so that nothing in it can name a file or a host; NULL, with an error that the
// caller frees, if it is damaged.
static inline RsvgHandle *spool_svg_read(const unsigned char *bytes, gsize count, GError **error) {
    RsvgHandle *handle = rsvg_handle_new_from_data(bytes, count, error);
    if (handle != NULL) rsvg_handle_set_dpi(handle, 96);
    return handle;
}

// Unpacks gzip. Returns the number of bytes written, which is `limit` also where there would be more; -1 for damaged data.
static inline gssize spool_gunzip(const unsigned char *bytes, gsize count, unsigned char *into, gsize limit) {
    GInputStream *memory = g_memory_input_stream_new_from_data(bytes, (gssize)count, NULL);
    GZlibDecompressor *decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    GInputStream *stream = g_converter_input_stream_new(memory, G_CONVERTER(decompressor));
    gsize written = 0;
    gboolean is_whole = g_input_stream_read_all(stream, into, limit, &written, NULL, NULL);
    g_object_unref(stream);
    g_object_unref(decompressor);
    g_object_unref(memory);
    return is_whole ? (gssize)written : -1;
}
