// What atexit() was told before there were threads runs behind main, beside a detached thread.
#include <pthread.h>
#include <stdlib.h>

static int total;

static void report(void) {
  ++total;  // RACE!
}

static void *count(void *unused) {
  ++total;  // RACE!
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(report);
  pthread_create(&thread, 0, count, 0);
  pthread_detach(thread);
  return 0;
}
