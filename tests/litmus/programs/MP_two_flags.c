// Message passing with two flags: the second, relaxed one may be seen without the first.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+two-flags
// graphs: sc 4 tso 4 ra 4 rc11 6
// assertion fails under: rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int second_r0, second_r1, second_r2;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&z, memory_order_relaxed);
  second_r1 = atomic_load_explicit(&y, memory_order_acquire);
  second_r2 = atomic_load_explicit(&x, memory_order_relaxed);
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
