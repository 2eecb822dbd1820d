// A worker ends the process with a code of its own, if it is early enough; else the last thread ends it, with 0.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;

static void *look(void *arg) {
  if (!ready)
    _exit(4);  // ERROR(exit-code-differs)!
  return arg;  // ERROR(exit-code-differs)?
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  pthread_detach(t);
  ready = 1;
  pthread_exit(0);
}
