/* Two workers share three items, first on their own, then from the pool. */
#include <assert.h>
#include <stdlib.h>

extern void kt_for(int n_threads, void (*func)(void*, long, int), void* data, long n);
extern void* kt_forpool_init(int n_threads);
extern void kt_forpool_destroy(void* pool);
extern void kt_forpool(void* pool, void (*func)(void*, long, int), void* data, long n);

static void square(void* data, long item, int thread) {
  int* values = data;
  values[item] = (int)(item * item) + (thread < 0);
}

int main(void) {
  int values[3] = {-1, -1, -1};
  kt_for(2, square, values, 3);
  for (int n = 0; n < 3; ++n) assert(values[n] == n * n);
#ifndef WITHOUT_POOL
  void* pool = kt_forpool_init(2);
  kt_forpool(pool, square, values, 2);
  kt_forpool_destroy(pool);
#endif
  return 0;
}
