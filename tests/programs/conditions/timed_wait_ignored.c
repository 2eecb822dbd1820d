// After a timed wait the predicate is taken for granted.
#include <assert.h>
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
  pthread_create(&t, NULL, setter, NULL);
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_timedwait(&c, &m, &until);
  assert(ready);  // ASSERT!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
