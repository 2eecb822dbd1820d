/* Two steps of a pipeline, two threads, two batches. */
#include <assert.h>
#include <stdlib.h>

extern void kt_pipeline(int n_threads, void* (*func)(void*, int, void*), void* shared, int n_steps);

static int made, sum;

static void* work(void* shared, int step, void* in) {
  int* batch = in;
  (void)shared;
  if (step == 0) {
    if (made == 2) return NULL;
    batch = malloc(sizeof *batch);
    *batch = ++made;
    return batch;
  }
  sum = sum * 10 + *batch;
  free(batch);
  return NULL;
}

int main(void) {
  kt_pipeline(2, work, NULL, 2);
  assert(sum == 12);
  return 0;
}
