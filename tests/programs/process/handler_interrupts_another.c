// VERDICT: clear
// A handler that is interrupted by another one still reads what it was told of its own signal.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int seen;

static void inner(int number, siginfo_t *told, void *unused) {
  (void)unused;
  assert(number == SIGUSR2 && told->si_signo == SIGUSR2);
  seen++;
}

static void outer(int number, siginfo_t *told, void *unused) {
  (void)unused;
  raise(SIGUSR2);
  assert(told->si_signo == SIGUSR1 && number == SIGUSR1);
  pthread_kill(pthread_self(), SIGUSR2);
  assert(told->si_signo == number);
}

static void *works(void *unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_sigaction = outer, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  action.sa_sigaction = inner;
  sigaction(SIGUSR2, &action, NULL);
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  assert(seen == 2);
  return 0;
}
