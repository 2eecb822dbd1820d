// Several plain readers, and an atomic store that follows them in time and is ordered after none.
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_int seen;

static void *look(void *arg) {
  int mine = value;  // RACE!
  (void)mine;
  atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int n = 0; n < 2; n++) pthread_create(&threads[n], NULL, look, NULL);
  while (atomic_load_explicit(&seen, memory_order_relaxed) < 2) {}
  __atomic_store_n(&value, 1, __ATOMIC_SEQ_CST);  // RACE!
  for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
  return 0;
}
