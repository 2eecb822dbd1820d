// Two threads have read a local variable of main's, and nothing orders that before the end of its life.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seen;

static void *look(void *arg) {
  int value = *(int *)arg;  // RACE!
  (void)value;
  atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
  return NULL;
}

static void give(pthread_t *threads) {
  int own = 1;
  for (int n = 0; n < 2; n++) pthread_create(&threads[n], NULL, look, &own);
  while (atomic_load_explicit(&seen, memory_order_relaxed) < 2) {}
}  // RACE!

int main(void) {
  pthread_t threads[2];
  give(threads);
  for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
  return 0;
}
