// Bilinear interpolation along a line through a plane, which gives a row of a rotated picture.
#pragma once
#include <stddef.h>
#include <stdint.h>

// result[k] is the plane at (u + k * step_u, v + k * step_v). Positions have 32 fraction bits, of which 11 are used;
// samples are at whole numbers. All four neighbours of every position lie in the plane, at least 1/2000 of a sample
// away from its edges, and steps are at most 1 sample in each direction. The stride is in bytes.
void spool_interpolate_row(uint8_t *result, ptrdiff_t count, const uint8_t *plane, ptrdiff_t stride, int64_t u, int64_t v,
                           int64_t step_u, int64_t step_v);
