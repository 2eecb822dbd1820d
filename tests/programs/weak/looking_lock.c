// A lock that looks before it tries: only the exchange has to acquire.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;

static int count;

static void *work(void *me) {
  do {
    while (atomic_load_explicit(&busy, memory_order_relaxed)) {
    }
  } while (atomic_exchange_explicit(&busy, 1, memory_order_acquire));
  count++;
  atomic_store_explicit(&busy, 0, memory_order_release);
  return me;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
