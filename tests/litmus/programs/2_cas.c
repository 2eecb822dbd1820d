// 2 threads compare and swap from one value: exactly one of them succeeds.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 2-cas
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, second_r0;

static void* first(void* unused) {
  first_r0 = 0;
  atomic_compare_exchange_strong_explicit(&x, &first_r0, 1, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = 0;
  atomic_compare_exchange_strong_explicit(&x, &second_r0, 2, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 0 && second_r0 == 0));
  return 0;
}
