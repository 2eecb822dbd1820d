// 4 threads add once to one counter: 4! graphs, one per order.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 4-adds
// graphs: sc 24 tso 24 ra 24 rc11 24
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, second_r0, third_r0, fourth_r0;

static void* first(void* unused) {
  first_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
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
  assert(!(first_r0 == 0 && second_r0 == 0));
  return 0;
}
