// The example for which RC11 weakened seq_cst: a release sequence and an update between seq_cst accesses. 18 graphs
// under SC, and 22 under RC11.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: Z6.U
// graphs: sc 18 tso 18 ra 24 rc11 22
// assertion fails under: ra
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0, second_r1, third_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_seq_cst);
  second_r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&y, 3, memory_order_seq_cst);
  third_r0 = atomic_load_explicit(&x, memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  assert(!(second_r0 == 1 && second_r1 == 3 && third_r0 == 0));
  return 0;
}
