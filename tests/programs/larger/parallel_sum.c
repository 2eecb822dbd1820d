// VERDICT: clear
// Fork and join, recursively: each half in a thread of its own.
#include <assert.h>
#include <pthread.h>

struct range { const int *values; int count; long sum; };

static void *sum(void *arg) {
  struct range *range = arg;
  if (range->count <= 2) {
    for (int i = 0; i < range->count; i++) range->sum += range->values[i];
    return NULL;
  }
  int half = range->count / 2;
  struct range left = {range->values, half, 0}, right = {range->values + half, range->count - half, 0};
  pthread_t t;
  pthread_create(&t, NULL, sum, &left);
  sum(&right);
  pthread_join(t, NULL);
  range->sum = left.sum + right.sum;
  return NULL;
}

int main(void) {
  int values[8];
  for (int i = 0; i < 8; i++) values[i] = i;
  struct range all = {values, 8, 0};
  sum(&all);
  assert(all.sum == 28);
  return 0;
}
