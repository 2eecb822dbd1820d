// A join that timed out orders nothing.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
int x;
static void *w(void *p) { x = 1;  // RACE!
  return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  struct timespec end; clock_gettime(CLOCK_REALTIME, &end); end.tv_sec += 1;
  int r = pthread_timedjoin_np(t, 0, &end);
  int y = x;  // RACE!
  if (r) pthread_join(t, 0); return y > 1; }
