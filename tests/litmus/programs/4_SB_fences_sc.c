// Store buffering in a ring of four, with a seq_cst fence in each thread: not all reads miss.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 2^4-1 tso 2^4-1 ra 2^4-1 rc11 2^4-1
// graphs: sc 15 tso 15 ra 15 rc11 15
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int w, x, y, z;
static int first_r0, second_r0, third_r0, fourth_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  second_r0 = atomic_load_explicit(&z, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  third_r0 = atomic_load_explicit(&w, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  atomic_store_explicit(&w, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  fourth_r0 = atomic_load_explicit(&x, memory_order_relaxed);
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
  assert(!(first_r0 == 0 && second_r0 == 0 && third_r0 == 0 && fourth_r0 == 0));
  return 0;
}
