// Only the detach state of a thread's attribute was set: the size of the stack was never written.
#include <pthread.h>
#include <stddef.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_attr_t attribute;
  pthread_attr_setdetachstate(&attribute, PTHREAD_CREATE_JOINABLE);
  pthread_create(&t, &attribute, works, NULL);  // ERROR(uninitialised-read)!
  pthread_join(t, NULL);
  return 0;
}
