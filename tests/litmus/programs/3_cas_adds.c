// Three threads load and add by compare-exchange until it succeeds: 3! orders.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// formula: sc 3! tso 3! ra 3! rc11 3!
// graphs: sc 6 tso 6 ra 6 rc11 6
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* first(void* unused) {
  int seen;
  do {
    seen = atomic_load_explicit(&x, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
  return unused;
}

static void* second(void* unused) {
  int seen;
  do {
    seen = atomic_load_explicit(&x, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
  return unused;
}

static void* third(void* unused) {
  int seen;
  do {
    seen = atomic_load_explicit(&x, memory_order_relaxed);
  } while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
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
  assert(x == 3);
  return 0;
}
