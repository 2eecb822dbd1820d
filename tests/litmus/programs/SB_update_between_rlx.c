// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store?
// Relaxed updates of a third variable do so under RA, which takes each as acq_rel, but not under RC11.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+update-between-rlx
// graphs: sc 4 tso 4 ra 4 rc11 8
// assertion fails under: rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int first_r0, first_r1, second_r0, second_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r1 = atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_r1 = atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
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
