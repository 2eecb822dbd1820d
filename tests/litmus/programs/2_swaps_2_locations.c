// Two variables exchanged in opposite orders.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 2-swaps-2-locations
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, first_r1, second_r0, second_r1;

static void* first(void* unused) {
  first_r0 = atomic_exchange_explicit(&x, 1, memory_order_relaxed);
  first_r1 = atomic_exchange_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_exchange_explicit(&y, 2, memory_order_relaxed);
  second_r1 = atomic_exchange_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r1 == 0 && second_r1 == 0));
  return 0;
}
