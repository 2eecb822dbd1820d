// A plain flag instead of pthread_once: both threads initialise.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int initialised;
static atomic_int runs;

static void *worker(void *arg) {
  if (!initialised) {  // RACE!
    runs++;
    initialised = 1;   // RACE!
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(runs == 1);  // ASSERT!
  return 0;
}
