// Bit tricks, shifts, rotations, population counts, endianness, all integer widths.
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, int n) { return x << (n & 31) | x >> (-n & 31); }
static uint64_t reverse(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(x);
}
static int parity(unsigned x) {
  int p = 0;
  while (x) {
    p = !p;
    x &= x - 1;
  }
  return p;
}

int main(void) {
  uint32_t seed = 12345;
  for (int i = 0; i < 12; i++) {
    seed = seed * 1664525u + 1013904223u;
    uint64_t wide = (uint64_t)seed << 32 | ~seed;
    printf("%08" PRIx32 " rot %08" PRIx32 " rev %016" PRIx64 " pop %d clz %d ctz %d par %d bswap %04x %08x\n", seed,
           rotate(seed, i), reverse(wide), __builtin_popcountll(wide), __builtin_clz(seed | 1), __builtin_ctz(seed | 0x80000000u),
           parity(seed), __builtin_bswap16((uint16_t)seed), __builtin_bswap32(seed));
  }
  int8_t a = (int8_t)200;
  uint8_t b = (uint8_t)-3;
  int16_t c = (int16_t)(a * b);
  uint16_t d = (uint16_t)(b << 7);
  printf("%d %u %d %u\n", a, b, c, d);
  printf("%d %d %d\n", -7 / 2, -7 % 2, -7 >> 1);
  printf("%u %u\n", (unsigned)-7 / 2, (unsigned)-7 % 10);
  printf("%" PRId64 " %" PRId64 "\n", INT64_MIN / 3, INT64_MIN % 1000);
  printf("%" PRIu64 " %" PRIu64 "\n", UINT64_MAX / 10, UINT64_MAX % 10);
  int over;
  printf("%d %d\n", __builtin_add_overflow(INT_MAX, 1, &over), over);
  long product;
  printf("%d ", __builtin_mul_overflow(LONG_MAX / 2, 3L, &product));
  printf("%ld\n", product);
  unsigned char uc;
  printf("%d %d\n", __builtin_sub_overflow(3, 5, &uc), uc);
  _Bool flag = 256;
  flag += 5;
  printf("%d %d\n", flag, (_Bool)0.5);
  for (int i = 0; i < 64; i += 9) printf("%" PRIx64 " ", (uint64_t)1 << i | (uint64_t)((int64_t)-1 << 63) >> i);
  puts("");
  printf("%d %d %d\n", (signed char)0x80, (short)0x18000, (int)0x180000000LL);
  unsigned long long z = 0;
  for (int i = 0; i < 8; i++) z = z << 8 | (unsigned)('a' + i);
  printf("%.8s %c\n", (char *)&z, *((char *)&z + 7));
  return seed & 0x7f;
}
