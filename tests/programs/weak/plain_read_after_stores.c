// Two stores without order: after both threads are joined, a plain read finds the one that is last in coherence order.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

static int y;

static void *one(void *p) { __atomic_store_n(&y, 1, __ATOMIC_RELAXED); return p; }
static void *two(void *p) { __atomic_store_n(&y, 2, __ATOMIC_RELAXED); return p; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(y == __atomic_load_n(&y, __ATOMIC_RELAXED));
  return 0;
}
