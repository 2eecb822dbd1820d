// Each try has a time limit of its own, and there is no end to them. The lock is never given back.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int present;

static void enter(void) {
  struct timespec limit;
  do {
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
  } while (pthread_mutex_timedlock(&m, &limit) != 0);  // ERROR(deadlock|livelock)!
}
static void *put(void *arg) {
  enter();
  present = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *get(void *arg) {
  enter();
  if (present) pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, put, NULL);
  pthread_create(&b, NULL, get, NULL);
  pthread_join(a, NULL);  // ERROR(deadlock|livelock)?
  pthread_join(b, NULL);
  return 0;
}
