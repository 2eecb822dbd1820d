// Load buffering in a ring of four: each read sees the store or misses it, but not all see it.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
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
  first_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&z, memory_order_relaxed);
  atomic_store_explicit(&w, 1, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&w, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
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
  assert(!(first_r0 == 1 && second_r0 == 1 && third_r0 == 1 && fourth_r0 == 1));
  return 0;
}
