// VERDICT: clear
// What looks beyond an array that is a part of its object, and is right: arrays that a structure ends with, views of a
// union, addresses just past the end, whole structures copied, elements walked by a pointer.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct text {
  int length;
  char bytes[];
};
struct old_text {
  int length;
  char bytes[1];
};
struct none {
  int length;
  char bytes[0];
};
struct fixed {
  int length;
  char bytes[4];
};
struct pair {
  int first[2];
  int second[2];
};
union view {
  int few[2];
  int many[8];
};
struct boxed {
  union view view;
  int after;
};

static int table[3][4];
static struct pair pair;
static struct boxed boxed;

static int ends(const int *from, const int *to) {
  int total = 0;
  while (from != to) total += *from++;
  return total;
}

static void *works(void *p) {
  const int n = *(int *)p;
  struct text *text = malloc(sizeof *text + 8);
  struct old_text *old = malloc(sizeof *old + 8);
  struct none *none = malloc(sizeof *none + 8);
  struct fixed *fixed = malloc(sizeof *fixed + 8);
  for (int i = 0; i < n; i++) text->bytes[i] = old->bytes[i] = none->bytes[i] = fixed->bytes[i] = 'x';
  for (int i = 0; i < n; i++) boxed.view.few[i] = i;
  union view *const view = &boxed.view;
  for (int i = 0; i < n; i++) view->few[i] += 1;
  int *at = &table[0][0];
  for (int i = 0; i < 12; i++) *at++ = 1;
  memset(&pair, 0, sizeof pair);
  struct pair copy;
  memcpy(&copy, &pair, sizeof copy);
  int total = ends(&pair.first[0], &pair.first[n / 4]) + ends(table[1], &table[1][n / 2]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) total += table[i][k];
  pair.first[n % 2] = 1;
  pair.first[n & 1u] = 2;
  assert(total == 16 && copy.second[1] == 0 && offsetof(struct pair, first[2]) == sizeof copy.first);
  free(text), free(old), free(none), free(fixed);
  return NULL;
}

int main(void) {
  pthread_t t;
  int n = 8;
  pthread_create(&t, NULL, works, &n);
  pthread_join(t, NULL);
  return boxed.view.many[7] != 8;
}
