// What another thread has done to a signal is seen, or not.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *ignores(void *arg) {
  signal(SIGUSR1, SIG_IGN);
  return arg;
}

int main(void) {
  pthread_t t;
  struct sigaction now;
  pthread_create(&t, NULL, ignores, NULL);
  sigaction(SIGUSR1, NULL, &now);
  pthread_join(t, NULL);
  assert(now.sa_handler == SIG_DFL);  // ERROR(assertion)!
  return 0;
}
