// As signal_between_two_of_its_own.c: a local variable that the handler reaches through one of the thread.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local const volatile int *watched;

static void looks(int number) {
  (void)number;
  if (watched != NULL) assert(*watched != 1);  // ERROR(assertion)!
}

static void *counts(void *arg) {
  volatile int value = 0;
  watched = &value;
  value = 1;
  value = 2;
  watched = NULL;
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, looks);
  pthread_create(&t, NULL, counts, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
