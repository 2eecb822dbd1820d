// Counters that nobody decides by may be relaxed: joining the threads orders the sum.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits, misses;

static void *work(void *unused) {
  atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&misses, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load_explicit(&hits, memory_order_relaxed) == 2);
  assert(atomic_load_explicit(&misses, memory_order_relaxed) == 4);
  return 0;
}
