// The nanoseconds of a time limit were never written.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *arg) {
  struct timespec limit;
  limit.tv_sec = 5;
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, &limit);  // ERROR(uninitialised-read)!
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_join(t, NULL);
  return 0;
}
