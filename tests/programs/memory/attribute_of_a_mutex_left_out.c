// A mutex is made by an attribute that was never initialised.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *locks(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attribute;
  pthread_mutex_init(&m, &attribute);  // ERROR(uninitialised-read)!
  pthread_create(&t, NULL, locks, NULL);
  pthread_join(t, NULL);
  return 0;
}
