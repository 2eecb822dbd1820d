// A load and a store are two operations: an update is lost, without any race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *worker(void *arg) {
  int old = atomic_load(&value);
  atomic_store(&value, old + 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 2);  // ASSERT!
  return 0;
}
