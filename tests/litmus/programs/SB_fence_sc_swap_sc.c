// Store buffering: a fence in one thread, a seq_cst swap in the other. Its relaxed read may still come first.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: SB+fence-sc+swap-sc
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, second_r0, second_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r1 = atomic_exchange_explicit(&y, 1, memory_order_seq_cst);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
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
