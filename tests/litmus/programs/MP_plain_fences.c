// Message passing: data, then a flag. May a reader see the flag and miss the data? The data is plain, and fences order
// it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+plain+fences
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int y;
static int x;
static int second_r0, second_r1;

static void* first(void* unused) {
  x = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  if (second_r0 == 1) {
    atomic_thread_fence(memory_order_acquire);
    second_r1 = x;
  }
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
