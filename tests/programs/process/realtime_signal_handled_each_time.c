// A handler runs once for each real-time signal that was sent while it was blocked, which the program does not expect.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t runs;
static void handles(int number) {
  (void)number;
  runs++;
}

static void *sends(void *p) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_kill(pthread_self(), SIGRTMIN);
  pthread_kill(pthread_self(), SIGRTMIN);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  assert(runs == 1);  // ERROR(assertion)!
  return p;
}

int main(void) {
  pthread_t t;
  signal(SIGRTMIN, handles);
  pthread_create(&t, NULL, sends, NULL);
  pthread_join(t, NULL);
  return 0;
}
