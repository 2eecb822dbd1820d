// A ticket lock: the counter of tickets may be relaxed, who is served publishes.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, served;

static int count;

static void *work(void *me) {
  const unsigned ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&served, memory_order_acquire) != ticket) {
  }
  count++;
  atomic_store_explicit(&served, ticket + 1, memory_order_release);
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
