// Two signals are pending when they are unblocked. The handler of the second interrupts that of the first before its
// first statement.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int order[4], count;

static void note(int number) {
  order[count++] = number;
  if (count == 1) raise(SIGUSR1);  // has begun: it is pending once more
}

static void *works(void *unused) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &both, NULL);
  raise(SIGUSR1);
  raise(SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &both, NULL);
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, note);
  signal(SIGUSR2, note);
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  assert(count == 3 && order[0] == SIGUSR2 && order[1] == SIGUSR1 && order[2] == SIGUSR1);
  assert(order[0] == SIGUSR1);  // ERROR(assertion)!
  return 0;
}
