// A watchdog that sleeps between two looks sees an old stamp.
// a watchdog reads a time stamp that the worker stores
#include <pthread.h>
#include <time.h>
#include <assert.h>
#include <stdatomic.h>
#include <unistd.h>
_Atomic long last; atomic_int stop;
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec; }
static void *w(void *p) { last = now(); stop = 1; return p; }
int main(void) { last = now(); pthread_t t; pthread_create(&t, 0, w, 0);
  while (!stop) { assert(now() - last < 5);  // ERROR(assertion)!
    sleep(1); }
  pthread_join(t, 0); }
