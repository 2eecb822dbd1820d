#include <assert.h>
#include <pthread.h>

#include "counter.h"

static void *worker(void *arg) {
  counter_add(1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter_value() == 2);
  return 0;
}
