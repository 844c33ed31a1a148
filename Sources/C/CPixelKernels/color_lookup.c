#include "clones.h"
#include "color_lookup.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// A 1080p frame of noise through a cube of 33 points takes 7 ms with the clone and 13 ms without, because the first and
// the last loop over a block are vectorised; a single loop that finishes pixel by pixel takes 22 ms. The other
// functions gain nothing from a clone. Both clones give the same bits as long as multiplications are not contracted
// with additions.
#pragma clang fp contract(off)

// NaN becomes `high`, as in Swift's clamping.
static inline float limited(float value, float low, float high) {
  value = value < high ? value : high;
  return value > low ? value : low;
}

static inline float larger(float a, float b) { return a > b ? a : b; }

static inline float smaller(float a, float b) { return a < b ? a : b; }

// An entry of a cube in one register: red, green, blue, unused.
typedef float four __attribute__((vector_size(16)));

static inline four entry(const float *place) {
  four result;
  memcpy(&result, place, sizeof result);
  return result;
}

void spool_apply_curve(float *values, ptrdiff_t count, const float *curve, int last) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float position = sqrtf(limited(values[x], 0, 1)) * (float)last;
    const int index = (int)position;
    const float part = position - (float)index;
    values[x] = curve[index] + (curve[index + 1] - curve[index]) * part;
  }
}

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

// The number of pixels that go through a cube together.
enum { BLOCK = 64 };

// The positions of a block's pixels in a cube: each lies in a tetrahedron, whose four corners are given by their places
// in the table and their weights.
struct corners {
  int32_t place[4][BLOCK];
  float weight[4][BLOCK];
};

CLONES
void spool_look_up_cube(float *red, float *green, float *blue, ptrdiff_t count, const float *table, int points,
                        const float offset[3], const float scale[3], float intensity) {
  const float most = (float)(points - 1);
  const int32_t step_red = 4, step_green = 4 * points, step_blue = step_green * points;
  const float red_offset = offset[0], green_offset = offset[1], blue_offset = offset[2];
  const float red_scale = scale[0], green_scale = scale[1], blue_scale = scale[2];
  struct corners at;
  float found[4 * BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    const int length = count - start < BLOCK ? (int)(count - start) : BLOCK;
    float *r = red + start, *g = green + start, *b = blue + start;
    for (int x = 0; x < length; x++) {
      const float pr = limited((r[x] - red_offset) * red_scale, 0, most);
      const float pg = limited((g[x] - green_offset) * green_scale, 0, most);
      const float pb = limited((b[x] - blue_offset) * blue_scale, 0, most);
      const int32_t ir = (int32_t)pr, ig = (int32_t)pg, ib = (int32_t)pb;
      const float fr = pr - (float)ir, fg = pg - (float)ig, fb = pb - (float)ib;
      // At the upper end there is no next point, and its weight is zero.
      const int32_t dr = pr < most ? step_red : 0, dg = pg < most ? step_green : 0, db = pb < most ? step_blue : 0;
      // The axes in order of falling fraction give the corners of one of six tetrahedra. They are chosen without
      // branches: noise would mispredict half of them, and a vector of pixels would need both sides.
      const float f1 = larger(fr, larger(fg, fb)), f3 = smaller(fr, smaller(fg, fb));
      const float f2 = larger(smaller(fr, fg), smaller(larger(fr, fg), fb));
      const int32_t first = fr >= fg ? (fr >= fb ? dr : db) : (fg >= fb ? dg : db);
      const int32_t last = fb <= fg ? (fb <= fr ? db : dr) : (fg <= fr ? dg : dr);
      const int32_t base = ir * step_red + ig * step_green + ib * step_blue;
      const int32_t all = base + dr + dg + db;
      at.place[0][x] = base, at.place[1][x] = base + first, at.place[2][x] = all - last, at.place[3][x] = all;
      at.weight[0][x] = 1 - f1, at.weight[1][x] = f1 - f2, at.weight[2][x] = f2 - f3, at.weight[3][x] = f3;
    }
    for (int x = 0; x < length; x++) {
      const four color = at.weight[0][x] * entry(table + at.place[0][x]) + at.weight[1][x] * entry(table + at.place[1][x]) +
                         at.weight[2][x] * entry(table + at.place[2][x]) + at.weight[3][x] * entry(table + at.place[3][x]);
      memcpy(found + 4 * x, &color, sizeof color);
    }
    for (int x = 0; x < length; x++) {
      r[x] += (found[4 * x] - r[x]) * intensity;
      g[x] += (found[4 * x + 1] - g[x]) * intensity;
      b[x] += (found[4 * x + 2] - b[x]) * intensity;
    }
  }
}
