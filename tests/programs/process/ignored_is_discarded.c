// VERDICT: clear
// A signal that waits is gone when the program ignores it from then on.
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  sigpending(&set);
  assert(!sigismember(&set, SIGUSR1));
  return 0;
}
