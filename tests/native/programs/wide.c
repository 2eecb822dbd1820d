#include <stdio.h>
typedef unsigned __int128 u128; typedef __int128 s128;
static void show(u128 x) { printf("%016lx%016lx\n", (unsigned long)(x >> 64), (unsigned long)x); }
static u128 power(u128 b, unsigned e, u128 m) { u128 r = 1; while (e) { if (e & 1) r = r * b % m; b = b * b % m; e >>= 1; } return r; }
static s128 scale(s128 a, long b) { return a * b / 7 - (a >> 3); }
int main(void) {
  u128 a = ((u128)0x0123456789abcdefull << 64) | 0xfedcba9876543210ull, b = 0x10001;
  show(a + b); show(a - b * b); show(a * a); show(a / b); show(a % 1000003); show(a << 77); show(a >> 77); show(~a ^ (a & (b << 60)));
  show(power(3, 1000, ((u128)1 << 61) - 1));
  s128 s = -(s128)a; show(s); show(s / 12345); show(s % 12345); show(s >> 5); show(scale(s, -99));
  printf("%d %d %d %d\n", s < 0, a > b, (u128)s == a, s <= scale(s, 2));
  printf("%.6f %.3f\n", (double)(s128)1000000007 / 3, (double)(a >> 40));
  show((u128)1e30); u128 sum = 0; for (int i = 0; i < 1000; i++) sum += (u128)i * i << (i % 64); show(sum);
  return (int)(sum & 127);
}
