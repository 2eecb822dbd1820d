// Coherence, read then write: a store never comes before the store that its thread has read. A load does not see the
// later store of its own thread.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoRW1
// graphs: sc 1 tso 1 ra 1 rc11 1
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

int main(void) {
  pthread_t first_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_join(first_thread, NULL);
  assert(!(first_r0 == 1));
  return 0;
}
