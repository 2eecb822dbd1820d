// Store buffering between two barriers: what stands before and behind them is ordered, 3 graphs under SC, 4 else.
// source: POSIX.1-2017, pthread_barrier_wait
// formula: sc 2^2-1 tso 2^2 ra 2^2 rc11 2^2
// graphs: sc 3 tso 4 ra 4 rc11 4
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static atomic_int x, y;
static int first_r0, second_r0;

static void* first(void* unused) {
  pthread_barrier_wait(&barrier);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  return unused;
}

static void* second(void* unused) {
  pthread_barrier_wait(&barrier);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 2 && second_r0 == 2));
  return 0;
}
