// Bilinear interpolation along a line through a plane: a row of a picture that is turned.
#pragma once
#include <stddef.h>
#include <stdint.h>

// result[k]: the plane at (u + k * step_u, v + k * step_v), whose 32 bits of fraction count with 11; a sample's own place is a whole
// number. All four neighbours of every place lie in the plane, 1/2000 of a sample away from its edges at least, and a step is
// at most 1 sample long either way. Stride counts bytes.
void spool_interpolate_row(uint8_t *result, ptrdiff_t count, const uint8_t *plane, ptrdiff_t stride, int64_t u, int64_t v,
                           int64_t step_u, int64_t step_v);
