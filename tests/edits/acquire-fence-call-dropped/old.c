// The base: both fences stand in functions.
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int flag;

static void publish(void) { atomic_thread_fence(memory_order_release); }
static void take(void) { atomic_thread_fence(memory_order_acquire); }

static void *writer(void *arg) {
  data = 1;
  publish();
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
    take();
    seen = data;
  }
  pthread_join(t, NULL);
  return 0;
}
