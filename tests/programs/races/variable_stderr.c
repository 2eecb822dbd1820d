// Standard error is another stream while perror looks which it is.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static void* worker(void* arg) {
  stderr = stdout;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  perror("x");  // RACE?
  pthread_join(t, 0);
  return 0;
}
