// VERDICT: clear
// sigtimedwait() for no signal at all is a sleep.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static void *sleeps(void *arg) {
  struct timespec before, after;
  const struct timespec second = {1, 0};
  sigset_t none;
  sigemptyset(&none);
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(sigtimedwait(&none, NULL, &second) == -1 && errno == EAGAIN);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec - before.tv_sec >= 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sleeps, NULL);
  pthread_join(t, NULL);
  return 0;
}
