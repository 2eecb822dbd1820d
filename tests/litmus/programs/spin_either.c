// A thread waits until one of two flags is set: 2 * 2 graphs in which it sees both, less the one in which it sees none.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// formula: sc 2^2-1 tso 2^2-1 ra 2^2-1 rc11 2^2-1
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  int one, other;
  do {
    one = atomic_load_explicit(&x, memory_order_relaxed);
    other = atomic_load_explicit(&y, memory_order_relaxed);
  } while (!one && !other);
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
  assert(!(x == 99));
  return 0;
}
