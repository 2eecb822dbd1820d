// Coherence, read then write: a store never comes before the store that its thread has read. Having read the other's
// store, a store comes after it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoRW2
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0;

static void* first(void* unused) {
  first_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 2 && atomic_load_explicit(&x, memory_order_relaxed) == 2));
  return 0;
}
