// The loop ends by its clock, too, long after its first rounds.
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
  const time_t end = time(0) + 60;
  while (!ready && time(0) < end) usleep(1000);
  assert(ready);  // ERROR(assertion)!
  pthread_join(thread, 0);
  return 0;
}
