// A reader that timed out reads all the same.
#include <pthread.h>
#include <time.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;
static void *w(void *p) { pthread_rwlock_wrlock(&l); x = 1;  // RACE!
  pthread_rwlock_unlock(&l); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  struct timespec end; clock_gettime(CLOCK_REALTIME, &end); end.tv_sec += 1;
  int r = pthread_rwlock_timedrdlock(&l, &end); int y = x;  // RACE!
  if (!r) pthread_rwlock_unlock(&l); pthread_join(t, 0); return y > 1; }
