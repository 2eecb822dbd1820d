// The request of cancellation comes while main has the mutex: the signal after it does not bring the thread back.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void leave(void *p) {
  assert(!ready);  // ERROR(assertion)!
  pthread_mutex_unlock(p);
}

static void *work(void *p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(leave, &m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  pthread_cancel(t);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
