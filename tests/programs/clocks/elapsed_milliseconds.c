// The loop ends by a difference of two readings.
#include <pthread.h>
#include <sys/time.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int ready;
static void *w(void *p) { ready = 1; return p; }
static long ms(void) { struct timeval t; gettimeofday(&t, 0); return t.tv_sec * 1000 + t.tv_usec / 1000; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); long start = ms();
  for (;;) { if (ready) break; if (ms() - start > 100) break; }
  assert(ready);  // ERROR(assertion)!
  pthread_join(t, 0); }
