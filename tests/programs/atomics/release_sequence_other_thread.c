// A relaxed store of another thread ends the sequence in every language.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void *sends(void *arg) {
  data = 1;  // RACE?
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static void *passes_on(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sends, NULL);
  pthread_create(&t[1], NULL, passes_on, NULL);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) data++;  // RACE!
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
