// VERDICT: clear
// Of a signal that is no real-time signal one waits, with the value of the first one that was sent.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void *takes(void *p) {
  const sigset_t *const set = p;
  siginfo_t got;
  assert(sigwaitinfo(set, &got) == SIGUSR1 && got.si_value.sival_int == 4 && got.si_code == SI_QUEUE);
  assert(sigtimedwait(set, &got, &(struct timespec){0, 0}) == -1);
  return NULL;
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 4});
  kill(getpid(), SIGUSR1);
  sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 5});
  pthread_create(&t, NULL, takes, &set);
  pthread_join(t, NULL);
  return 0;
}
