// A relaxed store of another thread does not continue the release sequence.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *first(void *arg) {
  data = 42;  // RACE!
  atomic_store_explicit(&stage, 1, memory_order_release);
  return arg;
}

static void *second(void *arg) {
  if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
  return arg;
}

static void *third(void *arg) {
  if (atomic_load_explicit(&stage, memory_order_acquire) == 2) return data == 42 ? arg : NULL;  // RACE!
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
