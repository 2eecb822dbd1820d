// VERDICT: clear
// Integer widths and conversions, shifts, 128-bit and floating point.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void) {
  volatile int minus = -7;
  assert(minus / 2 == -3 && minus % 2 == -1 && (minus >> 1) == -4);
  volatile unsigned char small = 250;
  small += 10;
  assert(small == 4);
  volatile int64_t big = INT64_MAX;
  assert((uint64_t)big + 1 == 0x8000000000000000u);
  volatile unsigned __int128 wide = (unsigned __int128)1 << 100;
  assert((uint64_t)(wide >> 96) == 16 && wide * 3 / 3 == wide);
  volatile double third = 1.0 / 3;
  assert(third * 3 == 1.0 && (int)(third * 100) == 33);
  volatile float f = 16777216.0f;
  assert(f + 1.0f == f);
  volatile long double precise = 1.0L;
  precise += 0x1p-60L;
  assert(precise > 1.0L);
  assert(__builtin_popcount(0xf0f0) == 8 && __builtin_clz(1u) == 31 && __builtin_ctz(8) == 3);
  int overflow;
  assert(__builtin_add_overflow(INT_MAX, 1, &overflow));
  return 0;
}
