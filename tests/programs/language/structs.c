// VERDICT: clear
// Structs by value, nested, returned, copied; unions; bit-fields; designated initialisers; compound literals.
#include <assert.h>
#include <string.h>

struct point { int x, y; };
struct box { struct point low, high; char name[8]; };
union number { float f; unsigned bits; };
struct packed { unsigned a : 3; unsigned b : 7; int c : 5; };

static struct box grow(struct box b, int by) {
  b.low.x -= by;
  b.high.x += by;
  return b;
}

static struct point middle(const struct box *b) {
  return (struct point){(b->low.x + b->high.x) / 2, (b->low.y + b->high.y) / 2};
}

int main(void) {
  struct box b = {.low = {1, 2}, .high = {.x = 5, .y = 8}, .name = "box"};
  struct box c = grow(b, 10);
  assert(b.low.x == 1 && c.low.x == -9 && c.high.x == 15);
  assert(strcmp(c.name, "box") == 0);
  assert(middle(&c).x == 3 && middle(&c).y == 5);
  union number n = {.f = 1.0f};
  assert(n.bits == 0x3f800000u);
  struct packed p = {.a = 5, .b = 100, .c = -3};
  p.b += 20;
  assert(p.a == 5 && p.b == 120 && p.c == -3);
  return 0;
}
