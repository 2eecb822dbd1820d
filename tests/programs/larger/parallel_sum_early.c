// The sums are added before the thread of the left half is joined.
#include <pthread.h>

struct range { const int *values; int count; long sum; };

static void *sum(void *arg) {
  struct range *range = arg;
  for (int i = 0; i < range->count; i++) range->sum += range->values[i];  // RACE!
  return NULL;
}

int main(void) {
  int values[4] = {1, 2, 3, 4};
  struct range left = {values, 2, 0}, right = {values + 2, 2, 0};
  pthread_t t;
  pthread_create(&t, NULL, sum, &left);
  sum(&right);
  long total = left.sum + right.sum;  // RACE!
  pthread_join(t, NULL);
  return total < 0;
}
