// Whether the time runs out is for the machine's speed to say. No order of the threads is at fault.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *give(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  struct timespec until;
  pthread_create(&t, 0, give, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 5;
  int late = 0;
  pthread_mutex_lock(&m);
  while (!ready && !late) late = pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return late;
}
