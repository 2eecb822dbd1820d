// Two threads add each other's variable to their own, N times each.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1, y = 1;

static void *first(void *unused) {
  for (int i = 0; i < N; ++i) {
    const int mine = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, mine + atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
  }
  return unused;
}

static void *second(void *unused) {
  for (int i = 0; i < N; ++i) {
    const int mine = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&y, mine + atomic_load_explicit(&x, memory_order_relaxed), memory_order_relaxed);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
