// An update among two stores: it is the store next to the one that it read.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// toy: add+2-stores
// graphs: sc 6 tso 6 ra 6 rc11 6
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0;

static void* first(void* unused) {
  first_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&x, 4, memory_order_relaxed);
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
  assert(!(first_r0 == 4 && atomic_load_explicit(&x, memory_order_relaxed) == 2));
  return 0;
}
