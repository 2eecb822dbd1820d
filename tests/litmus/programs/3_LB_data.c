// Load buffering of three threads, of which two pass on what they read.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 3.LB+data
// graphs: sc 7 tso 7 ra 7 rc11 7
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int first_r0, second_r0, third_r0;

static void* first(void* unused) {
  first_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, first_r0, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&z, second_r0, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&z, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
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
  assert(!(first_r0 == 1 && second_r0 == 1 && third_r0 == 1));
  return 0;
}
