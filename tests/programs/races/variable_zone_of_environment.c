// The time zone is in the environment.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void* worker(void* arg) {
  struct tm broken;
  time_t now = 0;
  localtime_r(&now, &broken);  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  setenv("TZ", "UTC", 1);  // RACE?
  pthread_join(t, 0);
  return 0;
}
