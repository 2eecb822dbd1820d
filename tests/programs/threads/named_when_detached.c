// A detached thread is given a name by another one that does not wait for it to begin, nor to end.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_detach(t);
  pthread_setname_np(t, "worker");  // ERROR(thread-misuse)!
  pthread_exit(NULL);
}
