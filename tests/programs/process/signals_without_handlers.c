// No handler, and nothing ends: signals that are ignored by default, one that is blocked in time and awaited, none (0),
// and one that comes after all that a thread did.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void *waits(void *arg) {
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &number);
  assert(number == SIGUSR1);
  return arg;
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&t, NULL, waits, NULL);
  pthread_kill(t, 0);
  pthread_kill(t, SIGURG);
  kill(getpid(), SIGCHLD);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
