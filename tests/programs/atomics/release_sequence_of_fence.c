// VERDICT: clear
// Stores behind a release fence, and a release store behind it, in C17.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data, more;

static void *sends(void *arg) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  more = 1;
  atomic_store_explicit(&flag, 2, memory_order_release);
  atomic_store_explicit(&flag, 3, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sends, NULL);
  const int seen = atomic_load_explicit(&flag, memory_order_acquire);
  if (seen >= 1) data++;
  if (seen >= 2) more++;
  pthread_join(t, NULL);
  return 0;
}
