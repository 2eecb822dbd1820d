// A sequence lock for an unknown pair: no torn pair is accepted, whatever the value is.
// source: Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025, Optimal Concolic DPOR
// formula: sc 18 tso 18 ra 18 rc11 18
// graphs: sc 18 tso 18 ra 18 rc11 18
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
static atomic_int a, x, y;
static int n, second_r0, second_r1, second_r2, second_r3;

static void* first(void* unused) {
  atomic_store_explicit(&a, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&x, n, memory_order_relaxed);
  atomic_store_explicit(&y, n, memory_order_relaxed);
  atomic_store_explicit(&a, 2, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&a, memory_order_acquire);
  second_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  second_r2 = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  second_r3 = atomic_load_explicit(&a, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  n = __VERIFIER_nondet_int();
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(second_r0 == second_r3 && second_r0 != 1 && second_r1 != second_r2));
  return 0;
}
