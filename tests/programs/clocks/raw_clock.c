// A raw clock ends the wait before the flag is set.
#include <pthread.h>
#include <time.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int ready;
static double now(void) {
  struct timespec t; clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}
static void *w(void *p) { ready = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); double end = now() + 0.5;
  while (!ready && now() < end) {}
  assert(ready);  // ERROR(assertion)!
  pthread_join(t, 0); }
