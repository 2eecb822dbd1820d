// The deadline and a count of the rounds are in a structure, the clock is looked at elsewhere.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

struct wait {
  struct timeval end;
  int polls;
};
static struct wait limit;
static atomic_int ready;

static void *worker(void *argument) {
  ready = 1;
  return argument;
}

static int over(struct wait *wait) {
  struct timeval now;
  gettimeofday(&now, 0);
  wait->polls++;
  return timercmp(&now, &wait->end, >=);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  gettimeofday(&limit.end, 0);
  limit.end.tv_sec += 30;
  while (!ready && !over(&limit)) usleep(10000);
  assert(ready);  // ERROR(assertion)!
  pthread_join(thread, 0);
  return 0;
}
