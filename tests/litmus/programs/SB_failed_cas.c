// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store? A
// compare-and-swap that fails is a read only, and under RC11 no fence.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+failed-cas
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a, b, x, y;
static int first_r0, first_r1, second_r0, second_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r1 = 1;
  atomic_compare_exchange_strong_explicit(&a, &first_r1, 2, memory_order_relaxed, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_r1 = 1;
  atomic_compare_exchange_strong_explicit(&b, &second_r1, 2, memory_order_relaxed, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
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
