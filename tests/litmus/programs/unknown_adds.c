// Two updates by an unknown value: 2! orders, and a question about the sum.
// source: Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025, Optimal Concolic DPOR
// formula: sc 2!*2 tso 2!*2 ra 2!*2 rc11 2!*2
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
static atomic_int x;
static int n;

static void* first(void* unused) {
  atomic_fetch_add_explicit(&x, n, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_fetch_add_explicit(&x, n, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  n = __VERIFIER_nondet_int();
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(atomic_load_explicit(&x, memory_order_relaxed) != 2468);
  return 0;
}
