// A wait for a semaphore that timed out is taken for the event.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <errno.h>
#include <assert.h>
sem_t s; int x;
static void *w(void *p) { x = 1;  // RACE!
  sem_post(&s); return p; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, w, 0);
  struct timespec end; clock_gettime(CLOCK_REALTIME, &end); end.tv_sec += 1; int r;
  while ((r = sem_timedwait(&s, &end)) == -1 && errno == EINTR) continue;
  x++;  // RACE!
  pthread_join(t, 0); }
