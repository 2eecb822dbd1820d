// A barrier is made by an attribute that was never initialised.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t b;

static void *meets(void *arg) {
  pthread_barrier_wait(&b);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_barrierattr_t attribute;
  pthread_barrier_init(&b, &attribute, 2);  // ERROR(uninitialised-read)!
  pthread_create(&t, NULL, meets, NULL);
  pthread_barrier_wait(&b);
  pthread_join(t, NULL);
  return 0;
}
