// Memory: a pool allocator, an arena with alignment, realloc patterns, a ring buffer, flexible members, alloca.
#include <alloca.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena { unsigned char *base; size_t used, size; };
static void *take(struct arena *a, size_t n, size_t align) {
  size_t at = (a->used + align - 1) & ~(align - 1);
  if (at + n > a->size) return NULL;
  a->used = at + n;
  return a->base + at;
}

union cell { union cell *next; char data[24]; };
static union cell cells[8], *free_cells;
static void *pool_get(void) {
  union cell *c = free_cells;
  if (c) free_cells = c->next;
  return c;
}
static void pool_put(void *p) {
  union cell *c = p;
  c->next = free_cells;
  free_cells = c;
}

struct ring { unsigned head, tail; int items[]; };
static int ring_push(struct ring *r, unsigned room, int v) {
  if (r->tail - r->head == room) return 0;
  r->items[r->tail++ % room] = v;
  return 1;
}

static int sum_on_stack(int n) {
  int *a = alloca((size_t)n * sizeof *a), s = 0;
  for (int i = 0; i < n; i++) a[i] = i * n;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
static int vla_loop(int n) {
  int total = 0;
  for (int i = 1; i <= n; i++) {
    char text[i * 2];
    memset(text, i, sizeof text);
    total += (int)sizeof text + text[i];
  }
  return total;
}

int main(void) {
  struct arena a = {malloc(256), 0, 256};
  char *c = take(&a, 3, 1);
  double *d = take(&a, sizeof(double) * 2, alignof(double));
  int *i = take(&a, sizeof(int), alignof(int));
  strcpy(c, "ab");
  d[0] = 1.5;
  d[1] = d[0] * 2;
  *i = (int)d[1];
  printf("%s %g %d %zu %d\n", c, d[1], *i, a.used, take(&a, 300, 1) == NULL);
  free(a.base);
  for (int k = 0; k < 8; k++) pool_put(&cells[k]);
  void *got[9];
  for (int k = 0; k < 9; k++) got[k] = pool_get();
  printf("%d %td\n", got[8] == NULL, (union cell *)got[0] - (union cell *)got[7]);
  pool_put(got[3]);
  printf("%d\n", pool_get() == got[3]);
  int *grow = NULL;
  size_t room = 0, n = 0;
  for (int k = 0; k < 100; k++) {
    if (n == room) grow = realloc(grow, (room = room ? room * 2 : 1) * sizeof *grow);
    grow[n++] = k * k;
  }
  grow = realloc(grow, 10 * sizeof *grow);
  printf("%zu %d\n", room, grow[9]);
  free(grow);
  struct ring *r = calloc(1, sizeof *r + 4 * sizeof(int));
  r->head = r->tail = UINT32_MAX - 1;
  int pushed = 0;
  for (int k = 0; k < 6; k++) pushed += ring_push(r, 4, k);
  while (r->head != r->tail) printf("%d ", r->items[r->head++ % 4]);
  printf("%d\n", pushed);
  free(r);
  void *aligned = aligned_alloc(64, 128), *posix = NULL;
  int failed = posix_memalign(&posix, 256, 10);
  printf("%d %d %d\n", (int)((uintptr_t)aligned % 64), failed, (int)((uintptr_t)posix % 256));
  free(aligned);
  free(posix);
  free(NULL);
  printf("%d %d\n", sum_on_stack(10), vla_loop(9));
  int **table = malloc(3 * sizeof *table);
  for (int k = 0; k < 3; k++) {
    table[k] = calloc((size_t)k + 1, sizeof **table);
    table[k][k] = k;
  }
  printf("%d%d%d\n", *table[0], table[1][1], table[2][2]);
  for (int k = 3; k--;) free(table[k]);
  free(table);
  return 0;
}
