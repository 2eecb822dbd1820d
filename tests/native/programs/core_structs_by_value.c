#include <stdio.h>
struct small { int a, b; }; struct medium { double x; long y; }; struct large { int v[20]; char name[12]; }; struct mixed { char c; float f; short s[3]; };
static struct small swap(struct small s) { return (struct small){s.b, s.a}; }
static struct medium half(struct medium m, int n) { m.x /= n; m.y += n; return m; }
static struct large fill(int seed, const char *name) { struct large l; for (int i = 0; i < 20; i++) l.v[i] = seed * i; snprintf(l.name, 12, "%s", name); return l; }
static int total(struct large l, struct mixed m) { int s = 0; for (int i = 0; i < 20; i++) s += l.v[i]; l.v[0] = 999; return s + m.s[1] + m.c; }
static struct mixed (*choose(int k))(struct mixed);
static struct mixed up(struct mixed m) { m.f *= 2; m.s[2]++; return m; }
static struct mixed down(struct mixed m) { m.f /= 2; m.s[2]--; return m; }
static struct mixed (*choose(int k))(struct mixed) { return k ? up : down; }
int main(void) {
  struct small s = swap((struct small){3, 4}); struct medium m = half((struct medium){10, 20}, 4); struct large l = fill(3, "three");
  struct mixed x = {'a', 1.5f, {1, 2, 3}}; x = choose(1)(x); x = choose(1)(x); x = choose(0)(x);
  printf("%d %d %f %ld %s %d %d %f %d\n", s.a, s.b, m.x, m.y, l.name, l.v[19], total(l, x), x.f, x.s[2]);
  struct large copy = l, *p = &copy; p->v[5] = -1; printf("%d %d\n", l.v[5], copy.v[5]);
  struct { struct small in[3]; union { long w; char b[8]; } u; } nest = {{{1, 2}, {3, 4}, {5, 6}}, {.w = 0x4142434445464748}};
  printf("%d %c%c\n", nest.in[2].a + nest.in[1].b, nest.u.b[0], nest.u.b[7]);
  return l.v[1];
}
