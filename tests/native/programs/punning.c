// Unions, type punning through memcpy and character pointers, volatile, const, pointer arithmetic and comparison,
// integers made of pointers, function pointers in unions.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union value {
  int8_t i8[16];
  uint16_t u16[8];
  int32_t i32[4];
  uint64_t u64[2];
  float f32[4];
  double f64[2];
  struct { uint8_t r, g, b, a; } color;
};

static float rsqrt(float x) {
  float half = x * 0.5f;
  uint32_t i;
  memcpy(&i, &x, 4);
  i = 0x5f3759df - (i >> 1);
  memcpy(&x, &i, 4);
  return x * (1.5f - half * x * x);
}

static uint64_t tagged(const void *p, unsigned tag) { return (uint64_t)(uintptr_t)p | tag; }

struct header { uint32_t magic; uint16_t version, flags; };

static int count_calls(void) {
  static int calls;
  return ++calls;
}

static void swap_bytes(void *p, size_t n) {
  unsigned char *a = p, *b = a + n;
  while (a < --b) {
    *a ^= *b;
    *b ^= *a;
    *a++ ^= *b;
  }
}

int main(void) {
  union value v;
  memset(&v, 0, sizeof v);
  v.f64[0] = -1234.5678;
  v.f32[3] = 0.1f;
  for (int i = 0; i < 16; i++) printf("%02x", (uint8_t)v.i8[i]);
  printf("\n%u %d %llx %u\n", v.u16[3], v.i32[1], (unsigned long long)v.u64[1], v.color.a);
  v.u64[0] ^= 1ull << 63;
  v.color.r++;
  printf("%.17g\n", v.f64[0]);
  printf("%.6g %.6g\n", (double)rsqrt(4), (double)rsqrt(0.01f));
  int array[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  int *p = array + 3, *end = array + 10;
  uint64_t t = tagged(p, 2);
  printf("%d %d %td %d %d\n", *(int *)(uintptr_t)(t & ~(uint64_t)7 ? t & ~(uint64_t)3 : 0), (int)(t & 3), end - p, p < end, p[-2] + 2 [p]);
  printf("%d %d\n", (uintptr_t)(p + 1) - (uintptr_t)p == sizeof *p, (char *)end - (char *)array == sizeof array);
  char raw[16];
  struct header h = {0xcafebabe, 2, 0x8001}, back;
  memcpy(raw + 3, &h, sizeof h);
  memcpy(&back, raw + 3, sizeof back);
  printf("%x %u %x\n", back.magic, back.version, back.flags);
  swap_bytes(&h.magic, 4);
  swap_bytes(&h, 8);
  printf("%x %x\n", h.magic, h.flags);
  volatile int spin = 0;
  while (spin < 5) spin = spin + 1;
  const volatile int *watch = &spin;
  printf("%d %d %d %d\n", *watch, count_calls() * 100 + count_calls(), (int)sizeof(int[count_calls()]), count_calls());
  double d = 1.0;
  unsigned char *bytes = (unsigned char *)&d;
  bytes[7] |= 0x80;
  printf("%g\n", d);
  void *generic = array;
  struct { short a; void *b; char c[5]; } s1 = {1, generic, "abcd"}, s2 = s1;
  s2.c[0] = 'z';
  printf("%d %s %s %d\n", s2.b == generic, s1.c, s2.c, ((int *)s2.b)[9]);
  int x = 5, y = (x++, x *= 2, x - 1), z = x > 3 && y < 100 ? x ^ y : ~x;
  x <<= y % 5;
  x |= 1;
  printf("%d %d %d %d\n", x, y, z, -x >> 2);
  char *strings[] = {"same", "same", "diff"};
  printf("%d %c %s\n", strcmp(strings[0], strings[1]), "indexed"[3], &"offset text"[7]);
  return x & 0xff;
}
