// Coherence, write then write: stores ordered by happens-before are ordered in coherence. The second store of a thread
// is the last.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoWW
// graphs: sc 1 tso 1 ra 1 rc11 1
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_join(first_thread, NULL);
  assert(!(atomic_load_explicit(&x, memory_order_relaxed) == 1));
  return 0;
}
