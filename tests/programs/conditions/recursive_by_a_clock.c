// A wait gives back one level of a recursive mutex: nobody can signal.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signals(void *arg) {
  pthread_mutex_lock(&m);  // DEADLOCK!
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  const struct timespec end = {1000000, 0};
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, NULL, signals, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &end);  // DEADLOCK!
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
