// sleep() returns early if a handler has run.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void nothing(int number) { (void)number; }

static void *sleeps(void *arg) {
  assert(sleep(2) == 0);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, nothing);
  pthread_create(&t, NULL, sleeps, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
