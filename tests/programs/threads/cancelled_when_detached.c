// The same for a request to end.
#include <pthread.h>
#include <stddef.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_attr_t attribute;
  pthread_attr_init(&attribute);
  pthread_attr_setdetachstate(&attribute, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attribute, works, NULL);
  pthread_attr_destroy(&attribute);
  pthread_cancel(t);  // ERROR(thread-misuse)!
  pthread_exit(NULL);
}
