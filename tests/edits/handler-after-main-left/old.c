// A handler of exit() that the last thread runs: main has left by pthread_exit().
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int stored;

static void last(void) { assert(stored < 2); }

static void *works(void *arg) {
  stored = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(last);
  pthread_create(&t, NULL, works, NULL);
  pthread_detach(t);
  pthread_exit(NULL);
}
