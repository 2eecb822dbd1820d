#include <stdio.h>
struct flags { unsigned a : 3; int b : 5; unsigned long c : 40; _Bool d : 1; signed char e : 4; };
union view { struct flags f; unsigned char bytes[sizeof(struct flags)]; };
static struct flags global = {5, -7, 0x123456789aUL, 1, -3};
int main(void) {
  struct flags f = global;
  for (int i = 0; i < 20; i++) {
    f.a += 3; f.b -= 2; f.c = f.c * 7 + i; f.d = !f.d; f.e++;
    printf("%u %d %lu %d %d\n", f.a, f.b, (unsigned long)f.c, f.d, f.e);
  }
  union view v = {.f = {1, 2, 3, 0, 4}};
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; i++) sum = sum * 31 + v.bytes[i];
  printf("%u\n", sum);
  return f.a;
}
