// The end is announced without waking the worker.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int work, stop;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  while (!stop) {
    if (work) work--;
    else pthread_cond_wait(&wake, &m);  // ERROR(lost-signal)!
  }
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&m);
  work = 1;
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
