// Two threads add three times to one counter: one graph per interleaving.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// formula: sc 6!/(3!*3!) tso 6!/(3!*3!) ra 6!/(3!*3!) rc11 6!/(3!*3!)
// graphs: sc 20 tso 20 ra 20 rc11 20
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, first_r1, first_r2, second_r0, second_r1, second_r2;

static void* first(void* unused) {
  first_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  first_r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  first_r2 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  second_r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  second_r2 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
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
