// A compare-and-swap beside others and a store that resets the variable.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: cas+store+cas
// graphs: sc 6 tso 6 ra 6 rc11 6
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, third_r0;

static void* first(void* unused) {
  first_r0 = 0;
  atomic_compare_exchange_strong_explicit(&x, &first_r0, 1, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 0, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = 0;
  atomic_compare_exchange_strong_explicit(&x, &third_r0, 2, memory_order_relaxed, memory_order_relaxed);
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
  assert(!(first_r0 == 0 && third_r0 == 0));
  return 0;
}
