// VERDICT: clear
// What would start a thread is not reached at all: main calls other functions, and has one thread.
#include <pthread.h>

static void *(*job)(void *);

void start(void) {
  pthread_t thread;
  pthread_create(&thread, 0, job, 0);
}

static int twice(int n) { return 2 * n; }

int main(void) { return twice(0); }
