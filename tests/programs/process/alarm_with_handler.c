// The handler runs in main, at any moment after the alarm was set: also while the worker writes.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int shared;

static void rings(int number) {
  shared = number;  // ERROR(data-race)!
}

static void *work(void *arg) {
  shared = 1;  // ERROR(data-race)!
  return arg;
}

int main(void) {
  pthread_t t;
  alarm(1);
  signal(SIGALRM, rings);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
