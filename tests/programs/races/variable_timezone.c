// tzset sets timezone, which another thread reads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void* worker(void* arg) {
  if (timezone > 5) puts("x");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  tzset();  // RACE?
  pthread_join(t, 0);
  return 0;
}
