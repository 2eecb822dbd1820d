// 2+2W with plain reads after the joins: the coherence orders of two variables need not agree.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *one(void *p) {
  __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&y, 2, __ATOMIC_RELAXED);
  return p;
}
static void *two(void *p) {
  __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(x == 1 && y == 1));  // ERROR(assertion)!
  return 0;
}
