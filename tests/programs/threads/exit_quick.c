// quick_exit() has handlers of its own.
#include <pthread.h>
#include <stdlib.h>

static int state;

static void handler(void) { state = 2; }  // RACE!

static void *ends(void *arg) {
  quick_exit(3);
  return arg;
}

int main(void) {
  pthread_t t;
  at_quick_exit(handler);
  pthread_create(&t, NULL, ends, NULL);
  state = 1;  // RACE?
  pthread_join(t, NULL);
  return 0;
}
