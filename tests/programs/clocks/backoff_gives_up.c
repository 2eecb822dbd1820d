// Sleeps that double end the wait.
#include <pthread.h>
#include <time.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int ready;
static void *w(void *p) { ready = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  for (long wait = 1000; wait < 1000000000 && !ready; wait *= 2) { struct timespec s = {0, wait}; nanosleep(&s, 0); }
  assert(ready);  // ERROR(assertion)!
  pthread_join(t, 0); }
