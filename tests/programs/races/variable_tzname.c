// mktime sets tzname, which another thread reads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void* worker(void* arg) {
  puts(tzname[0]);  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  struct tm when = {0};
  mktime(&when);  // RACE?
  pthread_join(t, 0);
  return 0;
}
