// Bit-fields of all kinds, in structures and unions; packed structures; alignment and offsets.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct flags {
  unsigned a : 1, b : 3;
  int c : 5;
  unsigned : 0;
  unsigned d : 31;
  _Bool e : 1;
  unsigned long long f : 40;
  signed char g : 4;
};

union both {
  struct {
    uint32_t mantissa : 23, exponent : 8, sign : 1;
  } part;
  float value;
};

struct __attribute__((packed)) wire {
  uint8_t kind;
  uint32_t length;
  uint16_t check;
  uint64_t id;
};

struct mixed {
  char a;
  alignas(32) int b;
  short c[3];
  double d;
};

struct volatile_bits {
  volatile unsigned x : 12;
  volatile int y : 20;
};

int main(void) {
  struct flags f = {0};
  f.a = 1;
  f.b = 13;
  f.c = -9;
  f.d = 0x7fffffff;
  f.e = 4;
  f.f = 0x123456789abcull;
  f.g = 9;
  printf("%u %u %d %u %d %llx %d\n", f.a, f.b, f.c, f.d, f.e, (unsigned long long)f.f, f.g);
  f.b += 7;
  f.c--;
  f.f <<= 4;
  f.g = (signed char)(f.g + 3);
  printf("%u %d %llx %d size %zu\n", f.b, f.c, (unsigned long long)f.f, f.g, sizeof f);
  for (float x = -0.1f; x < 100; x = x * -3 + 1) {
    union both u = {.value = x};
    printf("%a: %u %u %x\n", x, u.part.sign, u.part.exponent, u.part.mantissa);
    u.part.exponent++;
    printf("%g\n", u.value);
  }
  struct wire w;
  memset(&w, 0xee, sizeof w);
  w.kind = 7;
  w.length = 0x01020304;
  w.check = 0xbeef;
  w.id = 0x1122334455667788;
  unsigned char *bytes = (unsigned char *)&w;
  for (size_t i = 0; i < sizeof w; i++) printf("%02x", bytes[i]);
  printf("\n%zu %zu %zu %zu\n", sizeof w, offsetof(struct wire, length), offsetof(struct wire, check), offsetof(struct wire, id));
  printf("%zu %zu %zu %zu %zu\n", sizeof(struct mixed), alignof(struct mixed), offsetof(struct mixed, b), offsetof(struct mixed, c),
         offsetof(struct mixed, d));
  struct volatile_bits v = {5, -3};
  v.x += v.x;
  v.y *= 1000;
  printf("%u %d\n", v.x, v.y);
  return (int)f.f & 0xff;
}
