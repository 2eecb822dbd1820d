// N threads increment one counter: every order of the updates, so that there are N! graphs.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *add(void *unused) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  return 0;
}
