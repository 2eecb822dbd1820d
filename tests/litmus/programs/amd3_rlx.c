// Store buffering with two stores of each thread: may each find the other's first one, as the second waits in the
// buffer?
// source: Owens, Sarkar, Sewell 2009, A Better x86 Memory Model: x86-TSO
// toy: amd3+rlx
// graphs: sc 5 tso 9 ra 9 rc11 9
// assertion fails under: tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, second_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 1 && second_r0 == 1));
  return 0;
}
