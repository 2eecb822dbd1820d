// Three compare-exchanges, each of which needs the one before.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// toy: cas-chain
// graphs: sc 5 tso 5 ra 5 rc11 5
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, second_r0, third_r0;

static void* first(void* unused) {
  first_r0 = 0;
  atomic_compare_exchange_strong_explicit(&x, &first_r0, 1, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = 1;
  atomic_compare_exchange_strong_explicit(&x, &second_r0, 2, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = 2;
  atomic_compare_exchange_strong_explicit(&x, &third_r0, 3, memory_order_relaxed, memory_order_relaxed);
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
  assert(!(third_r0 == 2 && atomic_load_explicit(&x, memory_order_relaxed) == 3));
  return 0;
}
