// C11 and later: _Generic, compound literals, designated initialisers, flexible arrays, anonymous members,
// _Static_assert, statement expressions, alignas, inline, restrict.
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", double: "double", float: "float", \
                         char *: "char*", const char *: "const char*", char: "char", default: "other")
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

_Static_assert(sizeof(int) == 4, "ILP");

struct packet {
  uint16_t size;
  struct {
    uint8_t kind, flags;
  };
  union {
    uint32_t word;
    uint8_t byte[4];
  };
  char data[];
};

static struct packet *make(const char *text) {
  size_t n = strlen(text);
  struct packet *p = malloc(sizeof *p + n + 1);
  *p = (struct packet){.size = (uint16_t)n, .kind = 3, .flags = 0x80, .word = 0xa1b2c3d4};
  memcpy(p->data, text, n + 1);
  return p;
}

struct options {
  const char *name;
  int level, *counter;
  struct { double x, y; } origin;
  char tags[3][4];
};

static void use(const struct options *o) {
  printf("%s %d %g %g %s/%s/%s\n", o->name ? o->name : "(none)", o->level, o->origin.x, o->origin.y, o->tags[0], o->tags[1], o->tags[2]);
  if (o->counter) ++*o->counter;
}

static inline int sum(const int *restrict a, size_t n) {
  int t = 0;
  while (n--) t += *a++;
  return t;
}

enum color { RED = 3, GREEN, BLUE = 10 };
static const char *const names[] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};

int main(void) {
  char c = 'c';
  const char *text = "t";
  printf("%s %s %s %s %s %s %s %s\n", KIND(1), KIND(1u), KIND(1L), KIND(1.0), KIND(1.0f), KIND(c), KIND(text), KIND(&c));
  int i = 5;
  printf("%d %d %g\n", MAX(i++, 3), i, MAX(2.5, 1));
  struct packet *p = make("payload");
  printf("%d %d %x %x %x %s %zu\n", p->size, p->kind, p->flags, p->word, p->byte[1], p->data, sizeof *p);
  free(p);
  int count = 0;
  use(&(struct options){.name = "first", .origin.y = 2.5, .counter = &count, .tags = {"ab", [2] = "xyz"}});
  use(&(struct options){.level = 7, .counter = &count});
  printf("%d %d\n", count, sum((int[]){1, 2, 3, 4, [7] = 10}, 8));
  for (int k = 0; k <= BLUE; k++)
    if (names[k]) printf("%d=%s ", k, names[k]);
  puts("");
  alignas(64) char aligned[3];
  printf("%d %g %g\n", (int)((uintptr_t)aligned % 64), (double)sqrt(2.0f), (double)pow(2.0, 0.5));
  const int *rows[] = {(int[]){1, 0}, (int[]){2, 3, 0}, (int[]){0}};
  for (size_t r = 0; r < 3; r++) {
    for (const int *v = rows[r]; *v; v++) printf("%d,", *v);
    printf(";");
  }
  puts("");
  for (struct { int a, b; } it = {0, 10}; it.a < it.b; it.a++, it.b -= 2) printf("(%d,%d)", it.a, it.b);
  puts(__func__);
  return count;
}
