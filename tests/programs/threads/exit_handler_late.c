// A detached thread registers an exit handler: main's end may find it, or not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void last(void) {
  assert(0);  // ERROR(assertion)!
}

static void *registers(void *unused) {
  atexit(last);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, registers, 0);
  pthread_detach(thread);
  return 0;
}
