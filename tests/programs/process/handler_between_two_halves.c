// The handler changes both halves of a pair while the thread that it interrupts reads them.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int first, second;

static void changes(int number) { first = second = number; }

static void *reads(void *arg) {
  const int one = first;
  assert(one == second);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, changes);
  pthread_create(&t, NULL, reads, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
