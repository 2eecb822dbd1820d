// A thread is given a name after it was joined.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  pthread_setname_np(t, "worker");  // ERROR(thread-misuse)!
  return 0;
}
