// VERDICT: clear
// Exactly one thread is told that it is the serial one, in each of two rounds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *worker(void *arg) {
  for (int round = 0; round < 2; round++)
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
      atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(serial == 2);
  pthread_barrier_destroy(&barrier);
  return 0;
}
