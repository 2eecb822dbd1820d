// VERDICT: clear
// One thread of the last round destroys the barrier: that waits until the others have left it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;
static int x;

static void pass(void) {
  if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
  pthread_barrier_destroy(barrier);
  free(barrier);
}

static void *work(void *arg) {
  if (arg == 0) x = 3;
  pass();
  return arg;
}

int main(void) {
  pthread_t a, b;
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, 0, 3);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, barrier);
  pass();
  assert(x == 3);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
