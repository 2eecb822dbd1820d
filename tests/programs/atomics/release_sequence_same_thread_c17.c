// VERDICT: clear
// OPTIONS: -- -std=c17
// Until C17 a later store of the thread that released continues its release sequence.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void *sends(void *arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sends, NULL);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) data++;
  pthread_join(t, NULL);
  return 0;
}
