// The control is free again, and the lock that the initialiser took is not.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void make(void) {
  pthread_mutex_lock(&mutex);  // DEADLOCK!
  pthread_exit(0);
}

static void *work(void *argument) {
  pthread_once(&once, make);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
