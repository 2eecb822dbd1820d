// Thread i adds one to element i - 1 and stores it in element i; the last thread looks for a zero from the end.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int elements[N + 1];
static int numbers[N + 1];

static void *look(void *unused) {
  int i = N;
  while (i > 0 && atomic_load_explicit(&elements[i], memory_order_acquire) != 0) i--;
  return unused;
}

static void *add(void *number) {
  const int i = *(int *)number;
  atomic_store_explicit(&elements[i], atomic_load_explicit(&elements[i - 1], memory_order_acquire) + 1,
                        memory_order_release);
  return number;
}

int main(void) {
  pthread_t threads[N + 1];
  for (int i = 0; i <= N; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], 0, i == 0 ? look : add, &numbers[i]);
  }
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
  return 0;
}
