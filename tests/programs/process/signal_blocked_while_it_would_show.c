// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local volatile int first, second;

static void compares(int number) {
  (void)number;
  assert(first == second);
}

static void *counts(void *arg) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  ++first;
  ++second;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, compares);
  pthread_create(&t, NULL, counts, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
