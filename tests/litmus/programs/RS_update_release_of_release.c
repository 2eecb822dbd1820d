// Release sequences: which later stores to the flag still carry what the release store published? A release update
// publishes its own thread's stores and continues the earlier sequence.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+update-release-of-release
// graphs: sc 14 tso 14 ra 15 rc11 15
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int second_r0, third_r0, third_r1, third_r2;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  second_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&y, memory_order_acquire);
  third_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  third_r2 = atomic_load_explicit(&z, memory_order_relaxed);
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
  assert(!(second_r0 == 1 && third_r0 == 2 && third_r1 == 0));
  return 0;
}
