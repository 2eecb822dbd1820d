// lgamma sets signgam, which another thread reads.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>

static void* worker(void* arg) {
  if (signgam) puts("x");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  volatile double x = lgamma(2.5);  // RACE?
  (void)x;
  pthread_join(t, 0);
  return 0;
}
