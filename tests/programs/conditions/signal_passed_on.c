// A signal that comes too late for the thread with a time limit goes to the one without: it is not lost.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *limited(void *p) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec++;
  pthread_mutex_lock(&m);
  if (!ready && pthread_cond_timedwait(&c, &m, &end) == 0) pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}

static void *unlimited(void *p) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, limited, 0);
  pthread_create(&b, 0, unlimited, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
