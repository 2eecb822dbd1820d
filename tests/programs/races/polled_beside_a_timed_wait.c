// The wait has a lock, the writer has none.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;

static void *sets(void *arg) {
  done = 1;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  pthread_mutex_lock(&m);
  while (!done) {  // RACE!
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_cond_timedwait(&c, &m, &end);
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
