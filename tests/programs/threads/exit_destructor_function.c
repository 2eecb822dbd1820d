// A destructor function is a handler of exit(), too.
#include <pthread.h>
#include <stdlib.h>

static int state;

__attribute__((destructor)) static void last(void) { state = 2; }  // RACE!

static void *ends(void *arg) {
  exit(3);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, ends, NULL);
  state = 1;  // RACE?
  pthread_join(t, NULL);
  return 0;
}
