// Timed waits in a loop with a deadline: it ends without the signal, too.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int data, ready;

static void *produce(void *unused) {
  data = 1;  // RACE!
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  time_t end = time(0) + 2;
  pthread_mutex_lock(&mutex);
  while (!ready && time(0) < end) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    if (until.tv_nsec > 999999999) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&changed, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  data++;  // RACE!
  pthread_join(thread, 0);
  return 0;
}
