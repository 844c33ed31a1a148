#include "color_lookup.h"

#include <math.h>

#if defined(__x86_64__)
#define CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

#pragma clang fp contract(off)

// Not a number becomes `high`, as in Swift's limits.
static inline float limited(float value, float low, float high) {
  value = value < high ? value : high;
  return value > low ? value : low;
}

CLONES
void spool_apply_curve(float *values, ptrdiff_t count, const float *curve, int last) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float position = sqrtf(limited(values[x], 0, 1)) * (float)last;
    const int index = (int)position;
    const float part = position - (float)index;
    values[x] = curve[index] + (curve[index + 1] - curve[index]) * part;
  }
}

CLONES
void spool_look_up_line(float *values, ptrdiff_t count, const float *table, int points, float offset, float scale,
                        float intensity) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float position = limited((values[x] - offset) * scale, 0, (float)(points - 1));
    const int index = (int)position;
    const float part = position - (float)index;
    const float found = table[index] + (table[index + 1] - table[index]) * part;
    values[x] += (found - values[x]) * intensity;
  }
}

CLONES
void spool_look_up_cube(float *red, float *green, float *blue, ptrdiff_t count, const float *table, int points,
                        const float offset[3], const float scale[3], float intensity) {
  const float most = (float)(points - 1);
  const ptrdiff_t step_red = 4, step_green = 4 * (ptrdiff_t)points, step_blue = step_green * points;
  for (ptrdiff_t x = 0; x < count; x++) {
    const float pr = limited((red[x] - offset[0]) * scale[0], 0, most);
    const float pg = limited((green[x] - offset[1]) * scale[1], 0, most);
    const float pb = limited((blue[x] - offset[2]) * scale[2], 0, most);
    const int ir = (int)pr, ig = (int)pg, ib = (int)pb;
    const float fr = pr - (float)ir, fg = pg - (float)ig, fb = pb - (float)ib;
    // At the far end there is no next point, and its weight is zero.
    const ptrdiff_t dr = ir < points - 1 ? step_red : 0;
    const ptrdiff_t dg = ig < points - 1 ? step_green : 0;
    const ptrdiff_t db = ib < points - 1 ? step_blue : 0;
    const float *p0 = table + ir * step_red + ig * step_green + ib * step_blue;
    // Along the axes in order of falling fraction: the corners of one of six tetrahedra.
    ptrdiff_t first, second;
    float f1, f2, f3;
    if (fr >= fg) {
      if (fg >= fb) { first = dr; second = dr + dg; f1 = fr; f2 = fg; f3 = fb; }
      else if (fr >= fb) { first = dr; second = dr + db; f1 = fr; f2 = fb; f3 = fg; }
      else { first = db; second = db + dr; f1 = fb; f2 = fr; f3 = fg; }
    } else {
      if (fr >= fb) { first = dg; second = dg + dr; f1 = fg; f2 = fr; f3 = fb; }
      else if (fg >= fb) { first = dg; second = dg + db; f1 = fg; f2 = fb; f3 = fr; }
      else { first = db; second = db + dg; f1 = fb; f2 = fg; f3 = fr; }
    }
    const float *p1 = p0 + first, *p2 = p0 + second, *p3 = p0 + dr + dg + db;
    const float w0 = 1 - f1, w1 = f1 - f2, w2 = f2 - f3;
    const float r = w0 * p0[0] + w1 * p1[0] + w2 * p2[0] + f3 * p3[0];
    const float g = w0 * p0[1] + w1 * p1[1] + w2 * p2[1] + f3 * p3[1];
    const float b = w0 * p0[2] + w1 * p1[2] + w2 * p2[2] + f3 * p3[2];
    red[x] += (r - red[x]) * intensity;
    green[x] += (g - green[x]) * intensity;
    blue[x] += (b - blue[x]) * intensity;
  }
}
