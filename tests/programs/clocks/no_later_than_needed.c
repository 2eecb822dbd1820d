// Time passes until the loop ends, and no longer.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *worker(void *argument) {
  ready = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  const time_t begin = time(0);
  while (!ready && time(0) - begin < 50) usleep(1000);
  assert(time(0) - begin <= 50);
  pthread_join(thread, 0);
  return 0;
}
