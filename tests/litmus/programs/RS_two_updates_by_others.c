// Release sequences: which later stores to the flag still carry what the release store published? A chain of relaxed
// updates by other threads does.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+two-updates-by-others
// graphs: sc 36 tso 36 ra 36 rc11 36
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0, third_r0, fourth_r0, fourth_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_fetch_add_explicit(&y, 2, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&y, memory_order_acquire);
  fourth_r1 = atomic_load_explicit(&x, memory_order_relaxed);
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
  assert(!(second_r0 == 1 && third_r0 == 2 && fourth_r0 == 4 && fourth_r1 == 0));
  return 0;
}
