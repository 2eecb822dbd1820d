// A reader that stores against two stores: may all stores come in the opposite order? Fences between them.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: WRW+2W+fences-sc
// graphs: sc 9 tso 9 ra 9 rc11 9
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
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
  assert(!(second_r0 == 2 && atomic_load_explicit(&y, memory_order_relaxed) == 2 && atomic_load_explicit(&x, memory_order_relaxed) == 2));
  return 0;
}
