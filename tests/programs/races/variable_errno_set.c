// A thread sets the errno of another, which a call of the library sets, too.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int* place;

static void* worker(void* arg) {
  *place = 0;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  place = &errno;
  pthread_create(&t, 0, worker, 0);
  strtol("99999999999999999999999", 0, 10);  // RACE?
  pthread_join(t, 0);
  return 0;
}
