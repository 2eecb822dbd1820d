// A condition variable is made by an attribute that was never initialised.
#include <pthread.h>
#include <stddef.h>

static pthread_cond_t c;

static void *signals(void *arg) {
  pthread_cond_signal(&c);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_condattr_t attribute;
  pthread_cond_init(&c, &attribute);  // ERROR(uninitialised-read)!
  pthread_create(&t, NULL, signals, NULL);
  pthread_join(t, NULL);
  return 0;
}
