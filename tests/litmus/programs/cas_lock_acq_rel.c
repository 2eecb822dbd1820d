// One attempt each to take a lock made of compare-and-swap, around a plain variable. Acquire and release protect the
// variable: no race.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: cas-lock+acq+rel
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a;
static int x;
static int first_r0, second_r0;

static void* first(void* unused) {
  first_r0 = 0;
  atomic_compare_exchange_strong_explicit(&a, &first_r0, 1, memory_order_acquire, memory_order_relaxed);
  if (first_r0 == 0) {
    x = 1;
    atomic_store_explicit(&a, 0, memory_order_release);
  }
  return unused;
}

static void* second(void* unused) {
  second_r0 = 0;
  atomic_compare_exchange_strong_explicit(&a, &second_r0, 1, memory_order_acquire, memory_order_relaxed);
  if (second_r0 == 0) {
    x = 2;
    atomic_store_explicit(&a, 0, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 2));
  return 0;
}
