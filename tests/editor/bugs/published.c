#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, data;
static void *producer(void *argument) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  pthread_join(thread, 0);
  return 0;
}
