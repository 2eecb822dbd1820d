// VERDICT: clear
// A timed wait that gives up; the caller tells the two outcomes apart.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  struct timespec until = {2, 0};
  int result = 0;
  pthread_create(&t, NULL, setter, NULL);
  pthread_mutex_lock(&m);
  while (!ready && result == 0) result = pthread_cond_timedwait(&c, &m, &until);
  assert(ready || result == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
