// Big-number arithmetic: factorials, Fibonacci, powers, division, with 64 and 128-bit intermediate values.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LIMBS 40
typedef struct {
  uint32_t limb[LIMBS];
  int used;
} number;

static number from(uint32_t v) {
  number n = {{v}, v != 0};
  return n;
}

static void times(number *n, uint32_t f) {
  uint64_t carry = 0;
  for (int i = 0; i < n->used; i++) {
    carry += (uint64_t)n->limb[i] * f;
    n->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) n->limb[n->used++] = (uint32_t)carry;
}

static number add(number a, number b) {
  number r = {{0}, a.used > b.used ? a.used : b.used};
  uint64_t carry = 0;
  for (int i = 0; i < r.used; i++) {
    carry += (uint64_t)a.limb[i] + b.limb[i];
    r.limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) r.limb[r.used++] = (uint32_t)carry;
  return r;
}

static uint32_t divide(number *n, uint32_t d) {
  uint64_t rest = 0;
  for (int i = n->used - 1; i >= 0; i--) {
    rest = rest << 32 | n->limb[i];
    n->limb[i] = (uint32_t)(rest / d);
    rest %= d;
  }
  while (n->used && !n->limb[n->used - 1]) n->used--;
  return (uint32_t)rest;
}

static void print(const char *what, number n) {
  char digits[LIMBS * 10 + 1], *p = digits + sizeof digits - 1;
  *p = 0;
  do {
    uint32_t chunk = divide(&n, 1000000000);
    for (int i = 0; i < 9; i++) {
      *--p = (char)('0' + chunk % 10);
      chunk /= 10;
    }
  } while (n.used);
  while (*p == '0' && p[1]) p++;
  printf("%s = %s (%zu digits)\n", what, p, strlen(p));
}

static unsigned __int128 power128(unsigned base, int n) {
  unsigned __int128 r = 1;
  while (n--) r *= base;
  return r;
}

static void print128(__int128 v) {
  char text[48], *p = text + 47;
  *p = 0;
  unsigned __int128 u = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
  do *--p = (char)('0' + (int)(u % 10));
  while (u /= 10);
  if (v < 0) *--p = '-';
  puts(p);
}

static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t)((unsigned __int128)a * b % m); }

int main(void) {
  number f = from(1);
  for (uint32_t i = 2; i <= 50; i++) times(&f, i);
  print("50!", f);
  number a = from(0), b = from(1);
  for (int i = 0; i < 300; i++) {
    number c = add(a, b);
    a = b;
    b = c;
  }
  print("fib(300)", a);
  number p = from(1);
  for (int i = 0; i < 200; i++) times(&p, 7);
  print("7^200", p);
  print128((__int128)power128(3, 79));
  print128(-(__int128)power128(10, 38));
  print128((__int128)power128(2, 100) / -12345);
  print128((__int128)1 << 126 >> 3);
  print128(-((__int128)1 << 100) >> 90);
  uint64_t x = 1, base = 0x123456789abcdefull, m = 0xfffffffffffffc5ull;
  for (int e = 1000; e; e >>= 1) {
    if (e & 1) x = mulmod(x, base, m);
    base = mulmod(base, base, m);
  }
  printf("%llx\n", (unsigned long long)x);
  double d = (double)power128(3, 60);
  __int128 back = (__int128)-1.5e30;
  printf("%.17g %d %d\n", d, back < 0, (__int128)5 > (unsigned char)3);
  print128(back);
  return (int)(x % 100);
}
