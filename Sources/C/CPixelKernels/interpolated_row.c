#include "clones.h"
#include "interpolated_row.h"

#include <string.h>

// A 1080p plane rotated by 2 degrees takes 3.8 ms; sample by sample in 64 bits it takes 8.7 ms, in C and in Swift. Only
// the loads are not vectorised here. All numbers are integers, so both clones give the same bits.

// BLOCK samples are processed together; positions relative to the block's first sample fit into 32 bits.
enum { BLOCK = 64, FRACTION = 24, WEIGHT = 11 };

CLONES
void spool_interpolate_row(uint8_t *result, ptrdiff_t count, const uint8_t *plane, ptrdiff_t stride, int64_t u, int64_t v,
                           int64_t step_u, int64_t step_v) {
  const int32_t part = (1 << FRACTION) - 1, one = 1 << WEIGHT, line = (int32_t)stride;
  const int32_t across = (int32_t)(step_u >> (32 - FRACTION)), down = (int32_t)(step_v >> (32 - FRACTION));
  int32_t place[BLOCK];
  uint32_t corners[BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    const int length = count - start < BLOCK ? (int)(count - start) : BLOCK;
    const int64_t first_u = u + step_u * start, first_v = v + step_v * start;
    const uint8_t *base = plane + (first_v >> 32) * stride + (first_u >> 32);
    const int32_t part_u = (int32_t)((first_u & 0xffffffff) >> (32 - FRACTION));
    const int32_t part_v = (int32_t)((first_v & 0xffffffff) >> (32 - FRACTION));
    for (int x = 0; x < length; x++)
      place[x] = ((part_v + x * down) >> FRACTION) * line + ((part_u + x * across) >> FRACTION);
    for (int x = 0; x < length; x++) {
      uint16_t upper, lower;
      memcpy(&upper, base + place[x], 2);
      memcpy(&lower, base + place[x] + stride, 2);
      corners[x] = upper | (uint32_t)lower << 16;
    }
    for (int x = 0; x < length; x++) {
      const int32_t right = ((part_u + x * across) & part) >> (FRACTION - WEIGHT);
      const int32_t low = ((part_v + x * down) & part) >> (FRACTION - WEIGHT);
      const uint32_t four = corners[x];
      const int32_t upper = (int32_t)(four & 255) * (one - right) + (int32_t)(four >> 8 & 255) * right;
      const int32_t lower = (int32_t)(four >> 16 & 255) * (one - right) + (int32_t)(four >> 24) * right;
      const int32_t sum = upper * (one - low) + lower * low + (1 << (2 * WEIGHT - 1));
      result[start + x] = (uint8_t)(sum >> 2 * WEIGHT);
    }
  }
}
