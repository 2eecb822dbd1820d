// Three threads write, meet at a barrier and read. In which order they come shows nowhere: one graph.
// source: POSIX.1-2017, pthread_barrier_wait
// formula: sc 1 tso 1 ra 1 rc11 1
// graphs: sc 1 tso 1 ra 1 rc11 1
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static atomic_int x, y, z;
static int first_r0, second_r0, third_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  second_r0 = atomic_load_explicit(&z, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  third_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_t first_thread, second_thread, third_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  assert(first_r0 == 1 && second_r0 == 1 && third_r0 == 1);
  return 0;
}
