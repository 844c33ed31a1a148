// Weighted sums of rows of floats. Results are the same on every processor, because no multiplication is contracted
// with an addition and the order of additions is fixed.
#pragma once
#include <stddef.h>

// out[x] = weights[0] * rows[radius][x] + sum over d = 1...radius of weights[d] * (rows[radius - d][x] + rows[radius + d][x]).
// rows: 2 * radius + 1 rows, which may overlap each other, but not `out`.
void spool_sum_rows(float *out, ptrdiff_t count, const float *const *rows, const float *weights, int radius);
