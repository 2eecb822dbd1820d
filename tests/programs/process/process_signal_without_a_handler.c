// A worker sends the process a signal that no handler is for, and main, which waits, does not block it.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void *works(void *arg) {
  kill(getpid(), SIGUSR2);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);  // ERROR(abort)!
  return 0;
}
