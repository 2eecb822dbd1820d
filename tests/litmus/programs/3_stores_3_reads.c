// Three stores and three reads of one variable: what is read never goes back in coherence.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 6!/(3!*3!) tso 6!/(3!*3!) ra 6!/(3!*3!) rc11 6!/(3!*3!)
// graphs: sc 20 tso 20 ra 20 rc11 20
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int second_r0, second_r1, second_r2;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_store_explicit(&x, 3, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  second_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  second_r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(second_r0 == 3 && second_r2 == 1));
  return 0;
}
