// A store beside a read-modify-write comes before or after it, never between its read and its write. The store comes
// after it: the sum is lost.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: add+store-lost
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0;

static void* first(void* unused) {
  first_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 5, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 0 && atomic_load_explicit(&x, memory_order_relaxed) == 5));
  return 0;
}
