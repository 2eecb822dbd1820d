// VERDICT: clear
// A relaxed read-modify-write continues the release sequence of another thread's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *first(void *arg) {
  data = 42;
  atomic_store_explicit(&stage, 1, memory_order_release);
  return arg;
}

static void *second(void *arg) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&stage, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return arg;
}

static void *third(void *arg) {
  if (atomic_load_explicit(&stage, memory_order_acquire) == 2) assert(data == 42);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_create(&c, NULL, third, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
