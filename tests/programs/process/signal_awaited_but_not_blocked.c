// Who waits for a signal with sigwait must block it; else it ends the process when it comes too early.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *waits(void *arg) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);  // ERROR(abort)!
  sigwait(&set, &number);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);  // ERROR(abort)?
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
