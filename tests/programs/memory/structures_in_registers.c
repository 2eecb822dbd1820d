// VERDICT: clear
// Structures with padding, or of which only what was written is read, are given and returned in registers.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct point {
  int x, y;
};
struct padded {
  char kind;
  int value;
};
struct two {
  long value;
  int error;
};
struct three {
  char first;
  short second;
  char third;
};
struct floats {
  float x, y;
};
struct flags {
  unsigned kind : 3, size : 20, rest : 9;
};
struct tagged {
  char tag;
  union {
    char byte;
    int number;
    float real;
  };
};

static int has_x(struct point p) { return p.x > 0; }
static int has_both(struct padded p) { return p.kind > 0 && p.value > 0; }
static int equal(struct padded a, struct padded b) { return a.kind == b.kind && a.value == b.value; }
static int sum(struct three t) { return t.first + t.second + t.third; }
static int above(struct floats f) { return f.x > 1; }
static int is_kind(struct flags f) { return f.kind == 3 && f.size == 7; }
static int value_of(struct tagged t) { return t.tag == 1 ? t.byte : t.tag == 2 ? t.number : (int)t.real; }
static struct point make_point(int x) {
  struct point p;
  p.x = x;
  return p;
}
static struct point hand_on(struct point p) {
  struct point same = p;
  return same;
}
static struct padded make_padded(int value) {
  struct padded p;
  p.kind = 'a';
  p.value = value;
  return p;
}
static struct two make_two(long value) {
  struct two t;
  t.value = value;
  t.error = 0;
  return t;
}
static struct tagged make_tagged(int kind) {
  struct tagged t;
  t.tag = (char)kind;
  if (kind == 1)
    t.byte = 5;
  else
    t.number = 5;
  return t;
}

static void *works(void *p) {
  int *count = p;
  struct point point = hand_on(make_point(3));
  *count += has_x(point) + has_both(make_padded(2)) + equal(make_padded(4), make_padded(4));
  struct three three;
  three.first = 1;
  three.second = 2;
  three.third = 3;
  struct floats floats;
  floats.x = 2;
  *count += (sum(three) == 6) + above(floats) + !make_two(3).error;
  struct flags flags, *block = malloc(sizeof *block);
  flags.kind = 3;
  flags.size = 7;
  block->kind = 1;
  *count += is_kind(flags) + (flags.kind > 2) + (block->kind == 1);
  block->size = 2;
  *count += block->size == 2 && block->kind == 1;
  free(block);
  for (int n = 1; n < 3; ++n) *count += value_of(make_tagged(n)) == 5;
  return p;
}

int main(void) {
  pthread_t t;
  int count = 0;
  pthread_create(&t, NULL, works, &count);
  pthread_join(t, NULL);
  return count == 12 ? 0 : 1;
}
