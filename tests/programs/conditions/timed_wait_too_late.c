// The time of a wait is up while another thread has the mutex: its signal comes too late, and the wait still fails.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *p) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec++;
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  int r = 0;
  while (!ready && r != ETIMEDOUT) r = pthread_cond_timedwait(&c, &m, &end);
  if (r == ETIMEDOUT) assert(!ready);  // ERROR(assertion)!
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
