// VERDICT: clear
// Atomic increments lose nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *worker(void *arg) {
  atomic_fetch_add_explicit(&value, 1, memory_order_relaxed);
  value++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 4);
  return 0;
}
