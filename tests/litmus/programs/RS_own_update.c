// Release sequences: which later stores to the flag still carry what the release store published? A relaxed update of
// the same thread continues it.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+own-update
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, second_r0, second_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  first_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
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
  assert(!(second_r0 == 2 && second_r1 == 0));
  return 0;
}
