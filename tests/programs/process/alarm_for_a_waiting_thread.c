// VERDICT: clear
// Every thread blocks the signal of the timer, and one waits for it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set;

static void *waits(void *arg) {
  int number;
  sigwait(&set, &number);
  assert(number == SIGALRM);
  return arg;
}

int main(void) {
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&t, NULL, waits, NULL);
  alarm(1);
  pthread_join(t, NULL);
  return 0;
}
