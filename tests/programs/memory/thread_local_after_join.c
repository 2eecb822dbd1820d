// The end of a thread is the end of its thread-local objects.
#include <pthread.h>
#include <stddef.h>

static int *shared;
static _Thread_local int mine = 7;

static void *lends(void *arg) {
  shared = &mine;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, lends, NULL);
  pthread_join(t, NULL);
  return *shared;  // ERROR(use-after-free)!
}
