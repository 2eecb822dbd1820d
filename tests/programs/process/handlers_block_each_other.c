// VERDICT: clear
// The first of two pending signals blocks the second while its handler runs.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int order[4], count;

static void note(int number) { order[count++] = number; }

static void *works(void *unused) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &both, NULL);
  raise(SIGUSR2);
  raise(SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &both, NULL);
  pthread_sigmask(SIG_BLOCK, NULL, &both);
  assert(!sigismember(&both, SIGUSR1) && !sigismember(&both, SIGUSR2));
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = note};
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, note);
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  assert(count == 2 && order[0] == SIGUSR1 && order[1] == SIGUSR2);
  return 0;
}
