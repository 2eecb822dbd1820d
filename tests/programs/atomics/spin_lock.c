// VERDICT: clear
// A spin lock made of an atomic flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int value;

static void *worker(void *arg) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
  value++;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 2);
  return 0;
}
