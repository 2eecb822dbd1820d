// What the clock says is in memory, another in each round, and nothing pauses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *worker(void *argument) {
  ready = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec begin, now;
  pthread_create(&thread, 0, worker, 0);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (!ready && now.tv_sec - begin.tv_sec < 5);
  assert(ready);  // ERROR(assertion)!
  pthread_join(thread, 0);
  return 0;
}
