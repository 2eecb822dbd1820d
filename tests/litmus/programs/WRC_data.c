// Write-to-read causality: a store is read and passed on by another thread. May a third thread see the second store
// and miss the first? The data depend; C knows no such order.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: WRC+data
// graphs: sc 7 tso 7 ra 7 rc11 8
// assertion fails under: rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0, third_r0, third_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, second_r0, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  third_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  assert(!(second_r0 == 1 && third_r0 == 1 && third_r1 == 0));
  return 0;
}
