// Structures of all sizes as arguments and results, including float pairs and mixed classes.
#include <stdio.h>
#include <string.h>

#define SIZED(n)                                                     \
  struct s##n { unsigned char b[n]; };                               \
  static struct s##n make##n(int seed) {                             \
    struct s##n s;                                                   \
    for (int i = 0; i < n; i++) s.b[i] = (unsigned char)(seed + i);  \
    return s;                                                        \
  }                                                                  \
  static int sum##n(struct s##n s) {                                 \
    int t = 0;                                                       \
    for (int i = 0; i < n; i++) t += s.b[i];                         \
    s.b[0] = 0;                                                      \
    return t;                                                        \
  }                                                                  \
  static struct s##n bump##n(struct s##n s, int by) {                \
    for (int i = 0; i < n; i++) s.b[i] = (unsigned char)(s.b[i] + by); \
    return s;                                                        \
  }
#define USE(n)                                                             \
  do {                                                                     \
    struct s##n s = make##n(n);                                            \
    struct s##n t = bump##n(s, 3), (*f)(struct s##n, int) = bump##n;       \
    printf("%d: %d %d %d\n", n, sum##n(s), sum##n(t), sum##n(f(t, -2)));   \
  } while (0)
SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8) SIZED(9) SIZED(11) SIZED(12) SIZED(15) SIZED(16) SIZED(17)
SIZED(24) SIZED(31) SIZED(64)

struct ff { float a, b; };
struct fff { float a, b, c; };
struct ffff { float a, b, c, d; };
struct dd { double a, b; };
struct df { double a; float b; };
struct fi { float a; int b; };
struct id { int a; double b; };
struct ddd { double a, b, c; };
struct ld { long double a; };
struct lld { int i; long double a; };
struct nested { struct ff p; struct { short s; char c; } q; };
union mix { double d; long l; char c[8]; };
struct empty_tail { long n; char c; };

static struct ff swap_ff(struct ff x) { return (struct ff){x.b, x.a}; }
static struct fff turn_fff(struct fff x) { return (struct fff){x.c, x.a, x.b}; }
static struct ffff turn_ffff(struct ffff x) { return (struct ffff){x.d, x.a, x.b, x.c}; }
static struct dd swap_dd(struct dd x) { return (struct dd){x.b, x.a}; }
static struct df neg_df(struct df x) { return (struct df){-x.a, -x.b}; }
static struct fi neg_fi(struct fi x) { return (struct fi){-x.a, -x.b}; }
static struct id neg_id(struct id x) { return (struct id){-x.a, -x.b}; }
static struct ddd turn_ddd(struct ddd x) { return (struct ddd){x.c, x.a, x.b}; }
static struct ld neg_ld(struct ld x) { return (struct ld){-x.a}; }
static struct lld neg_lld(struct lld x) { return (struct lld){-x.i, -x.a}; }
static struct nested change(struct nested n) {
  n.p = swap_ff(n.p);
  n.q.s++;
  n.q.c--;
  return n;
}
static union mix unmix(union mix m) {
  m.l ^= 1L << 63;
  return m;
}
static struct empty_tail tail(struct empty_tail t) { return (struct empty_tail){t.n * 2, (char)(t.c + 1)}; }
static double many(struct dd a, int i, struct ff b, struct s16 c, double d, struct id e, struct ddd f, long l) {
  return a.a + a.b + i + b.a + b.b + c.b[0] + c.b[15] + d + e.a + e.b + f.a + f.b + f.c + (double)l;
}

int main(void) {
  USE(1); USE(2); USE(3); USE(4); USE(5); USE(6); USE(7); USE(8); USE(9); USE(11); USE(12); USE(15); USE(16); USE(17);
  USE(24); USE(31); USE(64);
  struct ff ff = swap_ff((struct ff){1.5f, 2.5f});
  struct fff fff = turn_fff((struct fff){1, 2, 3});
  struct ffff ffff = turn_ffff((struct ffff){1, 2, 3, 4});
  struct dd dd = swap_dd((struct dd){1, 2});
  struct df df = neg_df((struct df){1, 2});
  struct fi fi = neg_fi((struct fi){1, 2});
  struct id id = neg_id((struct id){1, 2});
  struct ddd ddd = turn_ddd((struct ddd){1, 2, 3});
  struct ld ld = neg_ld((struct ld){1.25L});
  struct lld lld = neg_lld((struct lld){3, 1.25L});
  printf("%g %g | %g %g %g | %g %g %g %g | %g %g\n", ff.a, ff.b, fff.a, fff.b, fff.c, ffff.a, ffff.b, ffff.c, ffff.d, dd.a, dd.b);
  printf("%g %g | %g %d | %d %g | %g %g %g | %Lg | %d %Lg\n", df.a, df.b, fi.a, fi.b, id.a, id.b, ddd.a, ddd.b, ddd.c, ld.a, lld.i, lld.a);
  struct nested n = change((struct nested){{1, 2}, {3, 'd'}});
  printf("%g %g %d %c\n", n.p.a, n.p.b, n.q.s, n.q.c);
  printf("%g %ld %d\n", unmix((union mix){.d = 2.5}).d, tail((struct empty_tail){21, 'x'}).n, tail((struct empty_tail){1, 'x'}).c);
  printf("%g\n", many(dd, 7, ff, make16(9), 1.25, id, ddd, -100));
  struct s64 array[3] = {make64(1), make64(2), make64(3)};
  array[0] = array[2];
  array[2] = bump64(array[1], 1);
  printf("%d %d %d\n", memcmp(&array[0], &array[2], 64), sum64(array[0]), sum64(array[1]));
  return 0;
}
