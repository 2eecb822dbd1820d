// VERDICT: clear
// After alarm(0) no signal comes; before, it may.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void rings(int number) { rung = number; }

static void *work(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  signal(SIGALRM, rings);
  alarm(1);
  pthread_create(&t, NULL, work, NULL);
  const unsigned left = alarm(0);
  assert(left == (rung ? 0 : 1));
  rung = 0;
  pthread_join(t, NULL);
  assert(!rung);
  return 0;
}
