// In-place table lookups on rows of floats, for colour operations. Results are the same on every processor, because no
// multiplication is contracted with an addition.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Clamps values to 0...1 and looks them up at sqrt(value) * last, with linear interpolation.
// curve: last + 2 values, of which the last two are equal.
void spool_apply_curve(float *values, ptrdiff_t count, const float *curve, int last);

// Maps one channel through a table of `points` values, followed by a copy of the last one, with linear interpolation.
// The position is (value - offset) * scale, clamped to 0...points - 1; the result is mixed with the value by intensity.
void spool_look_up_line(float *values, ptrdiff_t count, const float *table, int points, float offset, float scale,
                        float intensity);

// Maps colours through a cube of points^3 entries of four floats (red, green, blue, unused), with red varying fastest,
// by tetrahedral interpolation. The position on an axis is (value - offset[k]) * scale[k], clamped to 0...points - 1.
void spool_look_up_cube(float *red, float *green, float *blue, ptrdiff_t count, const float *table, int points,
                        const float offset[3], const float scale[3], float intensity);
