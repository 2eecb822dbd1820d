// Object-oriented C: tables of functions, inheritance by first member, closures, dispatch tables, callbacks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape;
struct operations {
  const char *name;
  double (*area)(const struct shape *);
  void (*scale)(struct shape *, double);
  struct shape *(*clone)(const struct shape *);
};
struct shape { const struct operations *ops; };
struct circle { struct shape base; double r; };
struct rectangle { struct shape base; float w, h; };

static double circle_area(const struct shape *s) { return 3.25 * ((const struct circle *)s)->r * ((const struct circle *)s)->r; }
static void circle_scale(struct shape *s, double f) { ((struct circle *)s)->r *= f; }
static struct shape *circle_clone(const struct shape *s) {
  struct circle *c = malloc(sizeof *c);
  *c = *(const struct circle *)s;
  return &c->base;
}
static double rectangle_area(const struct shape *s) {
  const struct rectangle *r = (const void *)s;
  return r->w * r->h;
}
static void rectangle_scale(struct shape *s, double f) {
  struct rectangle *r = (void *)s;
  r->w *= f;
  r->h = (float)(r->h * f);
}
static struct shape *rectangle_clone(const struct shape *s) {
  struct rectangle *r = malloc(sizeof *r);
  memcpy(r, s, sizeof *r);
  return &r->base;
}
static const struct operations circle_ops = {"circle", circle_area, circle_scale, circle_clone};
static const struct operations rectangle_ops = {"rectangle", rectangle_area, rectangle_scale, rectangle_clone};

typedef int (*binary)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int larger(int a, int b) { return a > b ? a : b; }
static binary choose(char c) {
  static const struct { char c; binary f; } table[] = {{'+', plus}, {'-', minus}, {'m', larger}};
  for (unsigned i = 0; i < 3; i++)
    if (table[i].c == c) return table[i].f;
  return NULL;
}
static int fold(const int *a, int n, int start, binary f) {
  while (n--) start = f(start, *a++);
  return start;
}

struct closure { int (*call)(struct closure *, int); int captured; };
static int add_captured(struct closure *c, int x) { return c->captured += x; }
static void each(const int *a, int n, struct closure *c) {
  for (int i = 0; i < n; i++) printf("%d ", c->call(c, a[i]));
}
static int compare_names(const void *a, const void *b) {
  return strcmp((*(struct shape *const *)a)->ops->name, (*(struct shape *const *)b)->ops->name);
}

int main(void) {
  struct circle c = {{&circle_ops}, 2};
  struct rectangle r = {{&rectangle_ops}, 3, 1.5f};
  struct shape *shapes[] = {&r.base, &c.base, r.base.ops->clone(&r.base), c.base.ops->clone(&c.base)};
  for (int i = 2; i < 4; i++) shapes[i]->ops->scale(shapes[i], 1.1);
  for (int i = 0; i < 4; i++) printf("%s %.6f\n", shapes[i]->ops->name, shapes[i]->ops->area(shapes[i]));
  struct shape *heap[] = {shapes[2], shapes[3]};
  qsort(shapes, 4, sizeof shapes[0], compare_names);
  printf("%s %s\n", shapes[0]->ops->name, shapes[3]->ops->name);
  free(heap[0]);
  free(heap[1]);
  int a[] = {5, -2, 9, 4};
  for (const char *o = "+-mx"; *o; o++) {
    binary f = choose(*o);
    printf("%c %d\n", *o, f ? fold(a, 4, 0, f) : -1);
  }
  struct closure k = {add_captured, 100};
  each(a, 4, &k);
  printf("%d\n", k.captured);
  int (*(*pick)(char))(int, int) = choose;
  printf("%d %d\n", pick('-')(1, 2), (**pick)('+')(1, 2));
  return 0;
}
