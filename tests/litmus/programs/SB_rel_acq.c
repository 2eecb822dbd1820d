// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store?
// Release and acquire do not forbid it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+rel+acq
// graphs: sc 3 tso 4 ra 4 rc11 4
// assertion fails under: tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, second_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  first_r0 = atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_release);
  second_r0 = atomic_load_explicit(&x, memory_order_acquire);
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
