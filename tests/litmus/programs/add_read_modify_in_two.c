// A read and a store instead of a read-modify-write: updates may be lost.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: add+read-modify-in-two
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, second_r0;

static void* first(void* unused) {
  first_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, first_r0 + 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, second_r0 + 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(atomic_load_explicit(&x, memory_order_relaxed) == 1));
  return 0;
}
