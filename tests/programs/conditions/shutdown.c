// VERDICT: clear
// A worker that sleeps until there is work or the end is announced.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int work, stop, finished;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  for (;;) {
    while (!work && !stop) pthread_cond_wait(&wake, &m);
    if (work) {
      work--;
      finished++;
      continue;
    }
    break;
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
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  assert(finished == 1);
  return 0;
}
