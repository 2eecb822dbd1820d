// What getenv gave may be overwritten when another thread sets the variable again.
// SAYS: environment variable A
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char* value;

static void* worker(void* arg) {
  setenv("A", "c", 1);  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  setenv("A", "b", 1);
  value = getenv("A");
  pthread_create(&t, 0, worker, 0);
  puts(value);  // RACE?
  pthread_join(t, 0);
  return 0;
}
