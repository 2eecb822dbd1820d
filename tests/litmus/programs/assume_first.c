// Two reads; the second counts only if the first found the newest value: 1 of 4.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// formula: sc 1 tso 1 ra 1 rc11 1
// graphs: sc 1 tso 1 ra 1 rc11 1
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
extern void __VERIFIER_assume(int);

static void* first(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  __VERIFIER_assume(atomic_load_explicit(&x, memory_order_acquire) == 1);
  assert(atomic_load_explicit(&y, memory_order_relaxed) == 1);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(x == 99));
  return 0;
}
