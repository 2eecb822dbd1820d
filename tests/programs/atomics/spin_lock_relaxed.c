// The same spin lock, released by a relaxed store: excludes, but does not order.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int value;

static void *worker(void *arg) {
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {
  }
  value++;  // RACE!
  atomic_store_explicit(&lock, 0, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
