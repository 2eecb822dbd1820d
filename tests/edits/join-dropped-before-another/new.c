// STEP1: finds
// Nothing that the first thread does is seen by others, but its end: main may wait for the second one meanwhile.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *idles(void *arg) { return arg; }

static void *adds(void *arg) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, idles, NULL);  // ERROR(thread-leak)!
  pthread_create(&b, NULL, adds, NULL);
  pthread_join(b, NULL);
  return 0;
}
