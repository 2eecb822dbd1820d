// As signal_ignored_meanwhile.c, by kill: its handler runs in the thread that sends it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local int seen;

static void handles(int number) {
  (void)number;
  seen = 1;
}

static void *ignores(void *arg) {
  signal(SIGUSR1, SIG_IGN);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handles);
  pthread_create(&t, NULL, ignores, NULL);
  pthread_kill(pthread_self(), SIGUSR1);
  pthread_join(t, NULL);
  assert(seen);  // ERROR(assertion)!
  return 0;
}
