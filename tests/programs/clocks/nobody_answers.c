// Nobody else can go on, and the loop ends after a hundred thousand rounds.
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
  pthread_join(thread, 0);
  ready = 0;
  const time_t end = time(0) + 100;
  while (!ready && time(0) < end) usleep(1000);
  assert(ready);  // ERROR(assertion)!
  return 0;
}
