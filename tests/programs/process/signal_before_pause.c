// VERDICT: inconclusive
// SAYS: something outside the program
// The signal may come after the question and before pause(): only another one, from outside, would end the wait then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t done;

static void notes(int number) { done = number; }

static void *tells(void *main_thread) {
  pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
  return NULL;
}

int main(void) {
  pthread_t self = pthread_self(), t;
  signal(SIGUSR1, notes);
  pthread_create(&t, NULL, tells, &self);
  while (!done) {
    const int result = pause();
    assert(result == -1 && errno == EINTR && done == SIGUSR1);
  }
  pthread_join(t, NULL);
  return 0;
}
