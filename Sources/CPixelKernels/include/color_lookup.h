// Table look-ups on rows of floats in place, for colour operations. The numbers come out the same on every processor: no
// multiplication is contracted with an addition.
#pragma once
#include <stddef.h>
#include <stdint.h>

// values: limited to 0...1, then looked up at sqrt(value) * last, with linear interpolation.
// curve: last + 2 values, the last two the same.
void spool_apply_curve(float *values, ptrdiff_t count, const float *curve, int last);

// One channel through a table of `points` values (and one more, a copy of the last), linearly interpolated.
// The position is (value - offset) * scale, limited to 0...points - 1; the result is mixed with the value by intensity.
void spool_look_up_line(float *values, ptrdiff_t count, const float *table, int points, float offset, float scale,
                        float intensity);

// Colours through a cube of points^3 entries of four floats (red, green, blue, unused), red fastest, with tetrahedral
// interpolation. The position along an axis is (value - offset[k]) * scale[k], limited to 0...points - 1.
void spool_look_up_cube(float *red, float *green, float *blue, ptrdiff_t count, const float *table, int points,
                        const float offset[3], const float scale[3], float intensity);
