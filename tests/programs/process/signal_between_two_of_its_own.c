// A handler that comes between two accesses of its thread to variables of that thread alone.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local volatile int first, second;
static _Thread_local const volatile int *watched;

static void compares(int number) {
  (void)number;
  assert(first == second);                     // ERROR(assertion)!
  if (watched != NULL) assert(*watched != 1);  // ERROR(assertion)?
}

static void *counts(void *arg) {
  volatile int value = 0;
  watched = &value;
  value = 1;
  value = 2;
  watched = NULL;
  ++first;
  ++second;
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, compares);
  pthread_create(&t, NULL, counts, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
