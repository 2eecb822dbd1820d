// Release sequences: which later stores to the flag still carry what the release store published? An update before the
// data was written carries nothing.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+update-before-write
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: sc tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int first_r0, second_r0, second_r1;

static void* first(void* unused) {
  first_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&z, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&y, memory_order_acquire);
  second_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(second_r0 == 1 && second_r1 == 0));
  return 0;
}
