// Independent reads of independent writes: may two readers see two stores in opposite orders? Their second reads are
// updates that add nothing.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: IRIW+reads-as-add-sc
// graphs: sc 27 tso 27 ra 28 rc11 32
// assertion fails under: ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int third_r0, third_r1, fourth_r0, fourth_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  third_r1 = atomic_fetch_add_explicit(&y, 0, memory_order_seq_cst);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  fourth_r1 = atomic_fetch_add_explicit(&x, 0, memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread, fourth_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_create(&fourth_thread, NULL, fourth, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  pthread_join(fourth_thread, NULL);
  assert(!(third_r0 == 1 && third_r1 == 0 && fourth_r0 == 1 && fourth_r1 == 0));
  return 0;
}
