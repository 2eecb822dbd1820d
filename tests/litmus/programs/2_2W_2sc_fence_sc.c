// Two threads store to two variables in opposite orders. May each variable end with the store that its thread did
// first? A fence in one thread, seq_cst stores in the other.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 2+2W+2sc+fence-sc
// graphs: sc 3 tso 3 ra 4 rc11 3
// assertion fails under: ra
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_seq_cst);
  atomic_store_explicit(&x, 2, memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(atomic_load_explicit(&x, memory_order_relaxed) == 1 && atomic_load_explicit(&y, memory_order_relaxed) == 1));
  return 0;
}
