// A lock that could not be taken in time is not held behind the loop.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  data++;  // RACE!
  pthread_mutex_unlock(&mutex);
  return argument;
}

static int late(const clock_t *end) { return clock() >= *end; }

int main(void) {
  pthread_t thread;
  const clock_t end = clock() + 5 * CLOCKS_PER_SEC;
  pthread_create(&thread, 0, worker, 0);
  int failed;
  while ((failed = pthread_mutex_trylock(&mutex)) && !late(&end));
  data++;  // RACE!
  if (!failed) pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
