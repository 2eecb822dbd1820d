// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store? The
// variables have 16 bytes, which differ in the last ones.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 3 tso 4 ra 4 rc11 4
// graphs: sc 3 tso 4 ra 4 rc11 4
// assertion fails under: tso ra rc11
// data race under: none
// flags: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
  long low, high;
};
static _Atomic(struct pair) x, y;
static long first_r0, second_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, ((struct pair){0, 1}), memory_order_relaxed);
  const struct pair seen = atomic_load_explicit(&y, memory_order_relaxed);
  first_r0 = seen.high;
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, ((struct pair){0, 1}), memory_order_relaxed);
  const struct pair seen = atomic_load_explicit(&x, memory_order_relaxed);
  second_r0 = seen.high;
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 0 && second_r0 == 0));
  return 0;
}
