// Store buffering whose error needs one value in 2^32: the graph in which both reads are old has the question.
// source: Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025, Optimal Concolic DPOR
// formula: sc 3 tso 3+2 ra 3+2 rc11 3+2
// graphs: sc 3 tso 5 ra 5 rc11 5
// assertion fails under: tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
static atomic_int x, y;
static int n, first_r0, second_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  n = __VERIFIER_nondet_int();
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 0 && second_r0 == 0 && n * 3u == 123456789u));
  return 0;
}
