// The wait is not reached, is ended by the signal, or by its time. After the time the flag may have been set meanwhile:
// the setter needs the mutex, which the waiter gave back.
// OUTCOME: exit 0, prints "- 1"
// OUTCOME: exit 0, prints "0 1"
// OUTCOME: exit 0, prints "110 0"
// OUTCOME: exit 0, prints "110 1"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void* set(void* p) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return p;
}

int main(void) {
  pthread_t t;
  const struct timespec until = {2000000000, 0};
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (ready)
    printf("- %d", ready);
  else {
    const int code = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until);
    printf("%d %d", code, ready);
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
