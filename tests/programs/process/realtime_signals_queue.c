// VERDICT: clear
// Real-time signals queue up, each with its value, and are taken by number, then in the order in which they were sent.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *takes(void *p) {
  const sigset_t *const set = p;
  siginfo_t got;
  const int expected[] = {1, 2, 3, 9};
  for (int n = 0; n < 4; n++) {
    const int number = sigwaitinfo(set, &got);
    assert(number == SIGRTMIN + (n == 3 ? 2 : 1) && got.si_code == SI_QUEUE && got.si_value.sival_int == expected[n]);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 1);
  sigaddset(&set, SIGRTMIN + 2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 9});
  for (int n = 1; n <= 3; n++) sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = n});
  pthread_create(&t, NULL, takes, &set);
  pthread_join(t, NULL);
  return 0;
}
