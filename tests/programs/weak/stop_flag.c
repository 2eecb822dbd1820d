// A flag that only ends a loop may be relaxed; what the loop made is ordered by the join.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int rounds;

static void *work(void *unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
  }
  rounds = 1;
  return unused;
}

static void *end(void *unused) {
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, end, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(rounds == 1);
  return 0;
}
