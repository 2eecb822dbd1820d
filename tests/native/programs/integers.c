#include <limits.h>
#include <stdint.h>
#include <stdio.h>
static uint64_t state = 88172645463325252ull;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
#define TEST(T, F) { T a = (T)next(), b = (T)next(); if (b == 0) b = 1; \
  printf(F " " F " " F " " F " " F "\n", (T)(a + b), (T)(a - b), (T)(a * b), (T)(a / b), (T)(a % b)); \
  printf("%d%d%d%d " F " " F " " F "\n", a < b, a <= b, a == b, a > b, (T)(a & b), (T)(a | ~b), (T)(a ^ (b >> 1))); }
int main(void) {
  for (int i = 0; i < 40; i++) {
    TEST(uint8_t, "%u") TEST(int8_t, "%d") TEST(uint16_t, "%u") TEST(int16_t, "%d")
    TEST(uint32_t, "%u") TEST(uint64_t, "%lu")
    int32_t a = (int32_t)next(), b = (int32_t)next() | 1; int64_t c = (int64_t)next(), d = (int64_t)next() | 1;
    if (b != -1) printf("%d %d ", a / b, a % b);
    if (d != -1) printf("%ld %ld\n", c / d, c % d);
    int r; long l;
    printf("%d %d %d ", __builtin_add_overflow(a, b, &r), __builtin_mul_overflow(a, b, &r), __builtin_sub_overflow(c, d, &l));
    printf("%d %d %d %d %u\n", __builtin_popcountll(c), __builtin_clzll(c | 1), __builtin_ctzll(d), __builtin_ctz(b), __builtin_bswap32(a));
    unsigned s = (unsigned)next() % 32, s6 = (unsigned)next() % 64;
    printf("%u %d %lu %ld %u\n", (uint32_t)a << s, a >> s, (uint64_t)c >> s6, c >> s6, ((uint32_t)a << s) | ((uint32_t)a >> (-s & 31)));
  }
  printf("%d %d %u %ld\n", INT_MAX, INT_MIN, UINT_MAX, LONG_MIN);
  return (int)(next() & 63);
}
