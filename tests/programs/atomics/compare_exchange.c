// VERDICT: clear
// A compare-and-swap loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *worker(void *arg) {
  int old = atomic_load(&value);
  while (!atomic_compare_exchange_strong(&value, &old, old + 3)) {
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 6);
  return 0;
}
