// A loop that only looks at the clock comes to its end.
// VERDICT: clear
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
  pthread_create(&thread, 0, worker, 0);
  const time_t end = time(0) + 60;
  while (time(0) < end);
  pthread_join(thread, 0);
  return !ready;
}
