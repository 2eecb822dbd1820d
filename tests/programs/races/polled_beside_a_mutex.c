// The flag is set, and the loop ends: a race, and no livelock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int alive = 1;

static void *worker(void *argument) {
  alive = 0;  // RACE!
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (alive) {  // RACE!
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, 0);
  return 0;
}
