#include "clones.h"
#include "pixel_kernels.h"

#define ONE 1024

// Maps one pixel: three code values 0...1023 become three values in 1/64 of an 8-bit code value. All numbers are
// integers, so that all clones give the same bits.
static inline void map_pixel(unsigned a, unsigned b, unsigned c, const int16_t *table, int points, spool_luma_axis axis,
                             int out[3]) {
  // Positions in 1/ONE of a step.
  int place = ((int)a - axis.first) * axis.steps * ONE / axis.range + axis.before * ONE;
  if (place < 0) place = 0;
  if (place > (points - 1) * ONE) place = (points - 1) * ONE;
  const unsigned pa = place, pb = b * (ONE / 32), pc = c * (ONE / 32);
  unsigned ia = pa / ONE, ib = pb / ONE, ic = pc / ONE;
  const int fa = pa - ia * ONE, fb = pb - ib * ONE, fc = pc - ic * ONE;
  const ptrdiff_t da = fa ? (ptrdiff_t)points * points * 4 : 0;
  const ptrdiff_t db = fb ? (ptrdiff_t)points * 4 : 0;
  const ptrdiff_t dc = fc ? 4 : 0;
  const int16_t *p0 = table + ((ptrdiff_t)(ia * points + ib) * points + ic) * 4;
  // The axes in order of falling fraction give the corners of one of six tetrahedra.
  ptrdiff_t first, second;
  int f1, f2, f3;
  if (fa >= fb) {
    if (fb >= fc) { first = da; second = da + db; f1 = fa; f2 = fb; f3 = fc; }
    else if (fa >= fc) { first = da; second = da + dc; f1 = fa; f2 = fc; f3 = fb; }
    else { first = dc; second = dc + da; f1 = fc; f2 = fa; f3 = fb; }
  } else {
    if (fa >= fc) { first = db; second = db + da; f1 = fb; f2 = fa; f3 = fc; }
    else if (fb >= fc) { first = db; second = db + dc; f1 = fb; f2 = fc; f3 = fa; }
    else { first = dc; second = dc + db; f1 = fc; f2 = fb; f3 = fa; }
  }
  const int16_t *p1 = p0 + first, *p2 = p0 + second, *p3 = p0 + da + db + dc;
  for (int k = 0; k < 3; k++)
    out[k] = (p0[k] * (ONE - f1) + p1[k] * (f1 - f2) + p2[k] * (f2 - f3) + p3[k] * f3) / ONE;
}

static inline uint8_t clip(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

static inline unsigned ten_bits(uint16_t value) { return value > 1023 ? 1023 : value; }

CLONES
void spool_map_through_table(const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t source_stride_y,
                             ptrdiff_t source_stride_cb, ptrdiff_t source_stride_cr, uint8_t *target_y,
                             uint8_t *target_cb, uint8_t *target_cr, ptrdiff_t target_stride_y,
                             ptrdiff_t target_stride_cb, ptrdiff_t target_stride_cr, int width, int height,
                             const int16_t *table, int points, spool_luma_axis axis) {
  for (int row = 0; row < height; row += 2) {
    for (int column = 0; column < width; column += 2) {
      int sum_cb = 0, sum_cr = 0;
      for (int k = 0; k < 4; k++) {
        const ptrdiff_t r = row + (k >> 1), x = column + (k & 1);
        int mapped[3];
        map_pixel(ten_bits(y[r * source_stride_y + x]), ten_bits(cb[r * source_stride_cb + x]),
                  ten_bits(cr[r * source_stride_cr + x]), table, points, axis, mapped);
        target_y[r * target_stride_y + x] = clip((mapped[0] + 32) >> 6);
        sum_cb += mapped[1];
        sum_cr += mapped[2];
      }
      target_cb[(row / 2) * target_stride_cb + column / 2] = clip((sum_cb + 128) >> 8);
      target_cr[(row / 2) * target_stride_cr + column / 2] = clip((sum_cr + 128) >> 8);
    }
  }
}
