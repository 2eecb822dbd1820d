// Of two ends of main one is by pthread_exit() below another function, beside a thread that still reads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int state;
static int got;
static void *work(void *p) {
  got = *(int *)p;  // ERROR(use-after-free)! RACE!
  state = 1;
  return 0;
}
static void leave(void) { pthread_exit(0); }  // RACE!

int main(void) {
  int x = 5;
  pthread_t t;
  pthread_create(&t, 0, work, &x);
  pthread_detach(t);
  if (state == 0) leave();
  exit(0);
}
