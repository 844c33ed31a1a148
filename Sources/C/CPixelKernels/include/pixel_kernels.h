// The loops that are measurably faster in C than in Swift: table lookups and scattered loads, which Swift does not
// vectorise (28 ms against 12 ms for a 1080p frame through a 33-point table). All other loops are in Swift.
#pragma once
#include "color_lookup.h"
#include "interpolated_row.h"
#include "row_sums.h"

#include <stddef.h>
#include <stdint.h>

// The luma of a table's points: `before` points, then one for `first`, and `steps` steps from there to `first + range`.
// Black and white lie on points then, and keep their exact values.
typedef struct {
  int before, first, range, steps;
} spool_luma_axis;

// Maps 10-bit Y'CbCr 4:4:4 through a three-dimensional table to 8-bit Y'CbCr 4:2:0, with tetrahedral interpolation.
//
// table: `points`^3 entries of four values (Y', Cb, Cr, unused), each an 8-bit code value times 64; Y' varies
// slowest, Cr fastest. Chroma has a point for each 32 code values, so that gray lies on one. Source strides are in
// 16-bit samples, target strides in bytes. Width and height are even. Chroma is the mean of its four pixels.
void spool_map_through_table(const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t source_stride_y,
                             ptrdiff_t source_stride_cb, ptrdiff_t source_stride_cr, uint8_t *target_y,
                             uint8_t *target_cb, uint8_t *target_cr, ptrdiff_t target_stride_y,
                             ptrdiff_t target_stride_cb, ptrdiff_t target_stride_cr, int width, int height,
                             const int16_t *table, int points, spool_luma_axis axis);
