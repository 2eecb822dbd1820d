// localtime sets daylight, which another thread reads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void* worker(void* arg) {
  if (daylight) puts("x");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  time_t now = 0;
  localtime(&now);  // RACE?
  pthread_join(t, 0);
  return 0;
}
