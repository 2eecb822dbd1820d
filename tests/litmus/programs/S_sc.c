// Message passing whose reader stores: may its store come before the first one? All is seq_cst.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: S+sc
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_seq_cst);
  atomic_store_explicit(&y, 1, memory_order_seq_cst);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&y, memory_order_seq_cst);
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(second_r0 == 1 && atomic_load_explicit(&x, memory_order_relaxed) == 2));
  return 0;
}
