// N threads read what one writes: each sees the store or the value before it, so that there are 2^N graphs.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *reader(void *unused) {
  (void)atomic_load_explicit(&x, memory_order_acquire);
  return unused;
}

static void *writer(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[N], 0, writer, 0);
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, reader, 0);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
  return 0;
}
