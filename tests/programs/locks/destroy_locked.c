// A mutex is destroyed while a thread may still hold it.
#include <pthread.h>

static pthread_mutex_t m;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);    // ERROR(lock-misuse)? RACE?
  pthread_mutex_unlock(&m);  // ERROR(lock-misuse)? RACE?
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_destroy(&m);  // ERROR(lock-misuse)! RACE?
  pthread_join(t, NULL);
  return 0;
}
