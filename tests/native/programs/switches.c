#include <stdio.h>
static int dense(int x) { switch (x) { case 0: return 10; case 1: return 11; case 2: case 3: return 12; case 7: return 17; default: return -1; } }
static int sparse(long x) { switch (x) { case -1000000: return 1; case 5: return 2; case 1L << 40: return 3; case 100000: return 4; default: return 0; } }
static const char *name(unsigned char c) { switch (c) { case 'a' ... 'f': return "hex"; case '0' ... '9': return "digit"; case 255: return "last"; } return "other"; }
static int fall(int n) { int r = 0; switch (n) { case 3: r += 100; case 2: r += 10; case 1: r += 1; break; case -1: r = -5; } return r; }
int main(void) {
  for (int i = -2; i < 10; i++) printf("%d %d\n", dense(i), fall(i));
  long values[] = {-1000000, 5, 1L << 40, 100000, 0, 6};
  for (int i = 0; i < 6; i++) printf("%d ", sparse(values[i]));
  for (int i = 0; i < 256; i += 15) printf("%s ", name(i));
  puts("");
  static void *table[] = {&&one, &&two, &&three};
  int k = 0, trace = 0;
next:
  if (k == 5) { printf("%d\n", trace); return 0; }
  goto *table[k++ % 3];
one: trace = trace * 10 + 1; goto next;
two: trace = trace * 10 + 2; goto next;
three: trace = trace * 10 + 3; goto next;
}
