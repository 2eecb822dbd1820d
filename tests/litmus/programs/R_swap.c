// Two stores against a store and a read: may the second thread's store come last, and its read miss the first store?
// The store is a relaxed swap: what it reads synchronises under RA only.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: R+swap
// graphs: sc 3 tso 3 ra 3 rc11 4
// assertion fails under: rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0, second_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r1 = atomic_exchange_explicit(&y, 2, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(second_r0 == 0 && atomic_load_explicit(&y, memory_order_relaxed) == 2));
  return 0;
}
