// Main joins while it holds the lock that the worker needs.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);  // DEADLOCK!
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&m);
  pthread_join(t, NULL);  // DEADLOCK!
  pthread_mutex_unlock(&m);
  return 0;
}
