// Four threads load and add by compare-exchange until it succeeds: 4! orders.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
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
  int seen;
  do seen = atomic_load_explicit(&x, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
  return unused;
}

static void* second(void* unused) {
  int seen;
  do seen = atomic_load_explicit(&x, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
  return unused;
}

static void* third(void* unused) {
  int seen;
  do seen = atomic_load_explicit(&x, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
  return unused;
}

static void* fourth(void* unused) {
  int seen;
  do seen = atomic_load_explicit(&x, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
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
  assert(x == 4);
  return 0;
}
