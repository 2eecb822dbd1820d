// Four stores to one variable: one graph per coherence order.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 4! tso 4! ra 4! rc11 4!
// graphs: sc 24 tso 24 ra 24 rc11 24
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&x, 3, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  atomic_store_explicit(&x, 4, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread, fourth_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_create(&fourth_thread, NULL, fourth, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  pthread_join(fourth_thread, NULL);
  assert(!(atomic_load_explicit(&x, memory_order_relaxed) == 0));
  return 0;
}
